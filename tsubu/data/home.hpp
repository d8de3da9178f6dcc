// The order in which the accesses to a variable are done at its home, and what has to come back before each.
//
// A write that finds copies elsewhere first has them put out of use, and is done when all have said so: from then on
// nobody reads the old value, and nobody has read the new one. An access to a value that one PE has for itself first
// asks for it back. What comes meanwhile waits its turn. Under `update` the new value is then sent to those who had a
// copy; who reads there in between waits for it. If another PE has the block of an element (loans.hpp), the first
// access asks for that before all else; until it is done, no other PE gets it again.
#pragma once

#include <stdexcept>
#include <string>

#include "tsubu/data/record.hpp"

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
  copy,  // to read
  only,  // to read and write: it is the owner
};

class home {
 public:
  // Whether the access can be done at once. Then accept() it, and run it.
  static bool can_run(const record& r, const request& q) {
    if (r.waiting() != nullptr || (r.owner != no_pe && r.owner != q.from_)) return false;
    if (r.in_block != 0 && block_of(r).loan != 0) [[unlikely]]
      return false;
    return !q.writes() || r.copies.empty() || (r.copies.size() == 1 && r.copies.contains(q.from_));
  }
  // Its PE sends no access while it can do it with what it has: it has given up its copy, and has not changed the
  // value.
  static void accept(record& r, request& q) {
    q.had_copy_ = (q.writes() && r.copies.erase(q.from_)) || r.owner == q.from_;
    if (r.owner == q.from_) r.owner = no_pe;
  }
  // It waits its turn. It is in memory that discard() gives back.
  static void admit(record& r, request& q);

  // It has been done. Tells those who had copies; what its PE may keep, if it can.
  static grant settle(record& r, const request& q, bool can_keep);

  // From `from`: it does not read its copy any more; and it has returned the value, which is in its place.
  static void copy_out_of_use(record& r, pe_id from);
  static void value_returned(record& r, pe_id from, bool left_a_copy);

  // The block of an element has come from another PE: the first of those that wait begins.
  static void block_is_here(record& r) { proceed(r); }

  // The variable ends, by the request that is being done: those behind it are refused.
  static void refuse_all(record& r);
  // The variable has ended with others: all that wait are refused.
  static void refuse_waiting(record& r);

 private:
  static void proceed(record& r);
  static bool have_block(record& r);
  static void clear_the_way(record& r, request& q);
  static void leave_group(request& q);
  static void take_out_first(record& r);
  static void refuse(const record& r, request& q);
};

// "variable 3 of PE 1 (long)", "element 17 of array 2 (double)".
std::string describe(key name);
std::string describe(key name, const std::type_info& type);

}  // namespace tsubu::data
