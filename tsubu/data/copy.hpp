// What a PE has of a variable whose home is elsewhere: a copy to read, the only value, or only accesses under way.
//
// An access uses the value here if it is good enough and none of this PE's accesses to the variable is under way; if
// one is, it waits for that; else it is sent to the home. The home answers each with what the PE may keep from then on,
// and messages from the home come in the order in which it sent them: so when no access is under way, what is here is
// what the home thinks is here. A variable of which nothing is here and nothing is under way has no copy at all.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "tsubu/base/pool.hpp"
#include "tsubu/data/key.hpp"

namespace tsubu::data {

// An access that waits on its PE until something changes, and then looks again.
class waiting_access {
 public:
  virtual void look_again() = 0;

 protected:
  ~waiting_access() = default;

 private:
  friend struct copy;
  waiting_access* next_ = nullptr;
};

struct copy {
  enum class state : std::uint8_t { nothing, readable, only };

  explicit copy(key of) : name(of) {}
  virtual ~copy() = default;
  virtual void set_nothing() = 0;
  virtual void discard() = 0;

  bool can_read() const { return has != state::nothing && under_way == 0; }
  bool can_write() const { return has == state::only && under_way == 0; }
  bool unused() const { return has == state::nothing && under_way == 0 && value_follows == 0 && waiting == nullptr; }

  void wait(waiting_access& a);
  void forget(waiting_access& a);
  // All that wait look again, in their order.
  void wake_all();

  key name;
  waiting_access* waiting = nullptr;  // the last; each leads to the next, the last to the first
  std::uint32_t under_way = 0;        // accesses of this PE that the home has not answered
  std::uint32_t reads = 0;            // of the value that is here, for the home to know
  std::uint32_t writes = 0;
  state has = state::nothing;
  std::uint8_t value_follows = 0;  // a write has put it out of use, and the new value is on its way
};

template <class T>
struct copy_of final : copy {
  explicit copy_of(key of) : copy(of) {}
  ~copy_of() override { copy_of::set_nothing(); }
  copy_of(const copy_of&) = delete;
  copy_of& operator=(const copy_of&) = delete;

  void set(state s, T&& v) {
    if (has == state::nothing) {
      std::construct_at(&value, std::move(v));
    } else {
      value = std::move(v);
    }
    has = s;
    reads = writes = 0;
  }
  void set_nothing() override {
    if (has != state::nothing) std::destroy_at(&value);
    has = state::nothing;
  }
  void discard() override { delete_pooled(this); }

  union {
    T value;  // if it has something
  };
};

}  // namespace tsubu::data
