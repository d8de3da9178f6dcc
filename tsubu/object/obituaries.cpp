#include "tsubu/object/obituaries.hpp"

#include "tsubu/object/object_base.hpp"

namespace tsubu::objects {

std::string obituaries::text(const method_info& of, const identity& id) const {
  const std::string for_method = "(" + method_name(of) + ")";
  if (const auto why = not_made_.find(id); why != not_made_.end()) return why->second + ' ' + for_method;
  return name_text(id, *of.type) + " has ended " + for_method;
}

void obituaries::count_late(const method_info& of, const identity& id) {
  ++late_;
  last_ = text(of, id);
}

std::string obituaries::report(pe_id me) const {
  if (late_ == 0) return "";
  return "tsubu: PE " + std::to_string(me) + ": " + std::to_string(late_) +
         " past messages were for objects that had ended, the last of them " + last_;
}

}  // namespace tsubu::objects
