#include "tsubu/object/tombstones.hpp"

#include "tsubu/object/object_base.hpp"
#include "tsubu/object/space.hpp"

namespace tsubu::objects {

object_gone tombstones::why(const method_info& of, const identity& id) const {
  const std::string object = name_text(id, *of.type);
  const std::string method = method_name(of);
  const auto not_made = not_made_.find(id);
  const std::string what = not_made != not_made_.end()                ? not_made->second
                           : this_space().names.is_of_another_job(id) ? object + " was of a job that has ended"
                                                                      : object + " has ended";
  return {what + " (" + method + ")", object, method};
}

void tombstones::count_late(const mail& m, const identity& id) {
  ++late_;
  if (teller_ != nullptr) return teller_(m);
  last_ = why(*m.of, id).what();
}

std::string tombstones::report(pe_id me) const {
  if (late_ == 0 || teller_ != nullptr) return "";
  return "tsubu: PE " + std::to_string(me) + ": " + std::to_string(late_) +
         " past messages were for objects that had ended, the last of them " + last_;
}

}  // namespace tsubu::objects
