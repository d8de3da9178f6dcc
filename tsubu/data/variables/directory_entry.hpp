// The directory entry of a variable, at its home: who shares copies of it, or who owns the only one, and who waits.
//
// The value lies at its home unless one other PE has it for itself (`owner`). The accesses of all PEs are put into one
// order here: those that cannot be done from where the copies lie are sent to the home, and while one of them waits for
// copies to come back, the others wait behind it. docs/data.md argues why that makes each variable linearizable, and
// has the table of states and events: at home (no owner, no sharers), shared, owned, and `busy`.
#pragma once

#include <cstdint>
#include <typeinfo>

#include "tsubu/base/pool.hpp"
#include "tsubu/data/arrays/element_values.hpp"
#include "tsubu/data/key.hpp"
#include "tsubu/data/profile/history.hpp"
#include "tsubu/data/protocol.hpp"
#include "tsubu/data/variables/pe_set.hpp"
#include "tsubu/task/group.hpp"

namespace tsubu::data {

struct directory_entry;

// Its variable ends, which has that protocol: what it says goes to the place of declaration (profile.cpp).
void end_watch(history* watch, protocol how);

// What is done to variables of a type without knowing it.
struct value_type {
  const std::type_info& type;
  void (*recall)(const directory_entry& of, bool leaves_a_copy);  // asks the owner for the value
  void (*push)(const directory_entry& of, pe_id to);              // sends the value to who has had a copy
  void (*destroy)(directory_entry& of);
  std::size_t (*bytes)(const directory_entry& of);  // of the value, about
};

// One access that is done at the home. It waits there if others are before it.
class request {
 public:
  enum class kind : std::uint8_t { read, write, new_protocol, end };

  request(kind what, pe_id from) : what_(what), from_(from) {}
  request(request&&) = default;
  virtual ~request() = default;

  bool writes() const { return what_ != kind::read; }
  kind what() const { return what_; }
  pe_id from() const { return from_; }

  // The value is here, and if it writes nobody has a copy that can be read. Does it, and answers.
  virtual void run(directory_entry& of) = 0;
  // The variable has ended before its turn.
  virtual void refuse(key name) = 0;
  // Returns the memory of one that has waited.
  virtual void discard() = 0;

 private:
  friend class home;
  kind what_;
  bool had_copy_ = false;  // when its turn came
  pe_id from_;
  request* next_ = nullptr;
  task_group* group_ = nullptr;
};

struct directory_entry {
  directory_entry(key of, const value_type& t, protocol p) : name(of), type(&t), how(p) {}
  directory_entry(const directory_entry&) = delete;
  directory_entry& operator=(const directory_entry&) = delete;
  ~directory_entry() {
    if (history* h = watch()) [[unlikely]]
      end_watch(h, how);
  }

  // Whether the home can do it at once; it is then counted as done.
  bool try_read_at_home() const {
    if (owner != no_pe) return false;
    if (rare_ != 0) [[unlikely]] {
      if (waiting() != nullptr) return false;  // this PE may have put what waits, and reads it
      ++watch()->home_reads;
    }
    return true;
  }
  bool try_write_at_home() const {
    if (owner != no_pe || !sharers.empty()) return false;
    if (rare_ != 0) [[unlikely]] {
      if (waiting() != nullptr) return false;
      ++watch()->home_writes;
    }
    return true;
  }

  // The last of the accesses that wait, each of which leads to the next, the last to the first; the first has begun.
  request* waiting() const { return is_watched() ? watched()->waiting : reinterpret_cast<request*>(rare_); }
  void set_waiting(request* last) {
    if (is_watched()) {
      watched()->waiting = last;
    } else {
      rare_ = reinterpret_cast<std::uintptr_t>(last);
    }
  }
  // Its history, if it is adaptive or a profile is wanted; else null.
  history* watch() const { return is_watched() ? watched() : nullptr; }
  // Only once.
  void set_watch(history* h) {
    h->waiting = waiting();
    rare_ = reinterpret_cast<std::uintptr_t>(h) | watched_bit;
  }

  static constexpr std::uint32_t most_answers = (1U << 27) - 1;

  key name;
  const value_type* type;
  pe_set sharers;                       // who can read, or will when it has heard of the last write
  pe_id owner = no_pe;                  // who has the value for itself
  std::uint32_t answers_left : 27 = 0;  // invalidations or a write-back, of the first of `waiting`
  std::uint32_t busy : 1 = 0;           // the first of them has begun
  std::uint32_t in_block : 1 = 0;       // an element of an array that is not all in memory
  protocol how : 3;                     // never adaptive: what it is now

 private:
  // What few have, in one word: the request of waiting(), or the history of watch(), which then has that.
  static constexpr std::uintptr_t watched_bit = 1;
  bool is_watched() const { return (rare_ & watched_bit) != 0; }
  history* watched() const { return reinterpret_cast<history*>(rare_ & ~watched_bit); }
  std::uintptr_t rare_ = 0;
};

// A variable with its value. Those of arrays have theirs in the array.
template <class T>
struct variable_entry : directory_entry {
  variable_entry(key of, const value_type& t, protocol p, T&& initial)
      : directory_entry(of, t, p), value(std::move(initial)) {}
  T value;
};
struct element_entry : directory_entry {
  element_entry(key of, const value_type& t, protocol p, blocks_of_values& all, std::uint64_t which)
      : directory_entry(of, t, p), values(all), number(which) {
    in_block = all.all_in_memory() ? 0 : 1;
  }
  blocks_of_values& values;
  const std::uint64_t number;
};
// Where an element lies that is in a block.
inline block_store::block& block_of(const directory_entry& entry) {
  const auto& e = static_cast<const element_entry&>(entry);
  return e.values.block_of(e.number);
}
template <class T>
T& value_of(directory_entry& entry) {
  if (entry.name.is_element()) {
    auto& e = static_cast<element_entry&>(entry);
    return static_cast<element_values<T>&>(e.values)[e.number];
  }
  return static_cast<variable_entry<T>&>(entry).value;
}

}  // namespace tsubu::data
