// Who is to be told of the end of an object that is here: monitor.hpp has the other side.
//
// An object that somebody watches has the bit `watched`, so its end takes the long way of ending, and what its methods
// throw is told here. Nobody else pays. When it moves, those who watch it travel with its state.
#pragma once

#include <cstdint>
#include <exception>
#include <unordered_map>
#include <vector>

#include "tsubu/object/object_base.hpp"
#include "tsubu/object/reply_to.hpp"
#include "tsubu/wire/value.hpp"

namespace tsubu::objects {

// Its monitor's number, on the PE where that is.
struct watch_number {
  pe_id pe;
  std::uint64_t number;
  bool operator==(const watch_number&) const = default;
};

class watches {
 public:
  struct watcher {
    watch_number by;
    reply_to<void> told;
  };
  struct record {
    std::vector<watcher> watchers;
    std::exception_ptr error;  // by which it ends
  };

  void add(object_base& o, watch_number by, reply_to<void> told);
  // It need not be told any more.
  void remove(object_base& o, watch_number by);

  // The object ends by this, if a method of it may end it: not one that runs inside another.
  bool take_error(const method_info& of, object_base& o, const std::exception_ptr& error);

  // Who watches an object that is about to end, or to move.
  record take(object_base& o);
  static void tell(record ended);

  // They leave with it, and have come with it.
  void send(object_base& o, std::vector<std::byte>& state);
  void take_in(object_base& o, wire::reader& state);

  std::uint64_t next_number() { return ++numbers_; }
  // Objects here that somebody watches.
  std::size_t size() const { return of_.size(); }

 private:
  // An object has the bit `watched` exactly while it is here.
  std::unordered_map<const object_base*, record> of_;
  std::uint64_t numbers_ = 0;  // of the monitors on this PE
};

}  // namespace tsubu::objects
