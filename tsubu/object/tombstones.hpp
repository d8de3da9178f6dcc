// What is said of objects that are no more: to who asks them, and, where nobody asks, when the job ends.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "tsubu/object/reply_to.hpp"

namespace tsubu::objects {

class tombstones {
 public:
  // Its constructor has thrown.
  void not_made(const identity& id, std::string why) { not_made_[id] = std::move(why); }

  // Why a message of that method finds nobody of that name.
  object_gone why(const method_info& of, const identity& id) const;

  // A past message came too late.
  void count_late(const mail& m, const identity& id);
  // From now on they are told to `teller`, and no line tells of them.
  void tell_late_to(late_message_teller teller) { teller_ = teller; }
  std::uint64_t late() const { return late_; }
  // A line for the end of the job, if any did.
  std::string report(pe_id me) const;

 private:
  std::unordered_map<identity, std::string, identity_hash> not_made_;  // and why; for the rest of the job
  late_message_teller teller_ = nullptr;
  std::uint64_t late_ = 0;
  std::string last_;  // the text of the last late one
};

}  // namespace tsubu::objects
