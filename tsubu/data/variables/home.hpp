// The order in which the accesses to a variable are done at its home, and what has to come back before each.
//
// A write that finds copies elsewhere first has them invalidated, and is done when all have acknowledged: from then on
// nobody reads the old value, and nobody has read the new one. An access to a value that one PE owns first
// recalls it. What comes meanwhile waits its turn. Under `update` the new value is then sent to those who had a
// copy; who reads there in between waits for it. If another PE has the block of an element (loans.hpp), the first
// access asks for that before all else; until it is done, no other PE gets it again.
#pragma once

#include <stdexcept>
#include <string>

#include "tsubu/data/variables/directory_entry.hpp"

namespace tsubu {

// What an access to a variable that has ended throws.
class variable_ended : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tsubu

namespace tsubu::data {

// What a PE may keep of a value that it has accessed.
enum class grant : std::uint8_t {
  nothing,
  shared,    // a copy to read
  modified,  // to read and write: it is the owner
};

class home {
 public:
  // Whether the access can be done at once. Then accept() it, and run it.
  static bool can_run(const directory_entry& entry, const request& q) {
    if (entry.waiting() != nullptr || (entry.owner != no_pe && entry.owner != q.from_)) return false;
    if (entry.in_block != 0 && block_of(entry).loan != 0) [[unlikely]]
      return false;
    return !q.writes() || entry.sharers.empty() || (entry.sharers.size() == 1 && entry.sharers.contains(q.from_));
  }
  // Its PE sends no access while it can do it with what it has: it has given up its copy, and has not changed the
  // value.
  static void accept(directory_entry& entry, request& q) {
    q.had_copy_ = (q.writes() && entry.sharers.erase(q.from_)) || entry.owner == q.from_;
    if (entry.owner == q.from_) entry.owner = no_pe;
  }
  // It waits its turn. It is in memory that discard() gives back.
  static void admit(directory_entry& entry, request& q);

  // It has been done. Tells those who had copies; what its PE may keep, if it can.
  static grant conclude(directory_entry& entry, const request& q, bool can_keep);

  // From `from`: it has invalidated its copy; and it has written the value back, which is in its place.
  static void acknowledged(directory_entry& entry, pe_id from);
  static void written_back(directory_entry& entry, pe_id from, bool left_a_copy);

  // The block of an element has come from another PE: the first of those that wait begins.
  static void block_is_here(directory_entry& entry) { proceed(entry); }

  // The variable ends, by the request that is being done: those behind it are refused.
  static void refuse_all(directory_entry& entry);
  // The variable has ended with others: all that wait are refused.
  static void refuse_waiting(directory_entry& entry);

 private:
  static void proceed(directory_entry& entry);
  static bool have_block(directory_entry& entry);
  static void clear_the_way(directory_entry& entry, request& q);
  static void leave_group(request& q);
  static void take_out_first(directory_entry& entry);
  static void refuse(const directory_entry& entry, request& q);
};

// "shared variable 3 of PE 1 (long)", "element 17 of shared array 2 (double)"; without the type where only the name is
// told.
std::string describe(key name);
std::string describe(key name, const std::type_info& type);

}  // namespace tsubu::data
