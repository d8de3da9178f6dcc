// What a PE has of a variable whose home is elsewhere: a copy to read, the only value, or only accesses under way.
//
// An access uses the value here if it is good enough and none of this PE's accesses to the variable is under way. If
// one is, it waits where the value would be good enough, or a new one follows; else it is sent to the home, too. The
// home answers each with what the PE may keep from then on, and messages from the home come in the order in which it
// sent them: so when no access is under way, what is here is what the home thinks is here. A variable of which nothing
// is here and nothing is under way has no copy at all.
//
// A copy is two words. One is the value, or where it lies; the other says whether it can be used, and counts how often
// it was. While an access is under way or waits, that word leads to what there is more to know, in memory of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "tsubu/base/pool.hpp"

namespace tsubu::data {

// An access that waits on its PE until something changes, and then looks again.
class waiting_access {
 public:
  virtual void look_again() = 0;

 protected:
  ~waiting_access() = default;

 private:
  friend class copy;
  waiting_access* next_ = nullptr;
};

class copy {
 public:
  enum class state : std::uint8_t { invalid, shared, modified };
  struct uses {
    std::uint32_t reads;
    std::uint32_t writes;
  };

  copy() = default;
  copy(const copy&) = delete;
  copy& operator=(const copy&) = delete;
  ~copy() {
    if (word_ != 0) clear();
  }

  [[gnu::always_inline]] bool can_read() const { return (word_ & shared_bit) != 0; }
  [[gnu::always_inline]] bool can_write() const { return (word_ & modified_bit) != 0; }
  bool unused() const { return word_ == 0; }
  state has() const {
    if (has_details()) return more()->has;
    return can_write() ? state::modified : can_read() ? state::shared : state::invalid;
  }

  // ---- the value

  // If it has something.
  template <class T>
  [[gnu::always_inline]] T& value() {
    if constexpr (fits<T>) {
      return *std::launder(reinterpret_cast<T*>(value_));
    } else {
      return static_cast<held_value<T>*>(elsewhere())->value;
    }
  }
  template <class T>
  void set(state s, T&& v) {
    if constexpr (fits<T>) {
      new (value_) T(v);
    } else if (has() != state::invalid) {
      value<T>() = std::move(v);
    } else {
      new (value_) held*(new_pooled<held_value<T>>(std::move(v)));
    }
    set_state(s, !fits<T>);
  }
  void set_invalid();
  // The owner keeps a copy to read.
  void set_shared() { set_state(state::shared, is_held()); }

  // ---- how often it was used, for the home to know

  [[gnu::always_inline]] void count_read() { word_ += one_read; }
  [[gnu::always_inline]] void count_write() { word_ = (word_ & ~writes_mask) | ((word_ + one_write) & writes_mask); }
  uses used() const;
  uses take_used();

  // ---- accesses

  void begin_access() {
    if (word_ == 0 || is_under_way_only()) {
      word_ = (word_ | under_way_bit) + one_read;
    } else {
      ++make_details().under_way;
    }
  }
  // The home has answered one. Then data_space::changed().
  void end_access() {
    if (!is_under_way_only()) {
      --make_details().under_way;
    } else {
      word_ -= one_read;
      if (word_ == under_way_bit) word_ = 0;
    }
  }
  std::uint32_t under_way() const {
    if (is_under_way_only()) return static_cast<std::uint32_t>(word_ >> 32);
    return has_details() ? more()->under_way : 0;
  }
  // A write has invalidated it, and the new value is on its way; or it has come. Then
  // data_space::changed().
  void set_value_follows(bool yes) {
    if (yes || has_details()) make_details().value_follows = yes;
  }
  bool value_follows() const { return has_details() && more()->value_follows; }
  bool has_waiting() const { return has_details() && more()->waiting != nullptr; }

  void wait(waiting_access& a);
  void forget(waiting_access& a);
  // If none is under way, all that wait look again, in their order, at a copy that can be used if it has something.
  void wake_waiting() { wake(take_waiting()); }
  // The same in two steps, for who looks between them whether it is unused: those that wait, if none is under way.
  waiting_access* take_waiting();
  static void wake(waiting_access* first);

 private:
  // What is known besides while accesses are under way or wait.
  struct details {
    waiting_access* waiting = nullptr;  // the last; each leads to the next, the last to the first
    std::uint32_t under_way = 0;        // accesses of this PE that the home has not answered
    uses used{0, 0};
    state has = state::invalid;
    bool is_held = false;
    bool value_follows = false;
  };
  struct held {
    virtual ~held() = default;
    virtual void discard() = 0;
  };
  template <class T>
  struct held_value final : held {
    explicit held_value(T&& v) : value(std::move(v)) {}
    void discard() override { delete_pooled(this); }
    T value;
  };
  template <class T>
  static constexpr bool fits = std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(held*);

  // The first word: the address of details and the first bit; or the next ones, how often it was written and how
  // often read; or, where there is nothing else, the last bit and how many accesses are under way.
  static constexpr std::uint64_t details_bit = 1, shared_bit = 2, modified_bit = 4, held_bit = 8, under_way_bit = 16;
  static constexpr std::uint64_t one_write = 32, one_read = std::uint64_t{1} << 32, writes_mask = one_read - one_write;

  bool is_under_way_only() const { return (word_ & (details_bit | under_way_bit)) == under_way_bit; }
  bool has_details() const { return (word_ & details_bit) != 0; }
  details* more() const { return reinterpret_cast<details*>(word_ & ~details_bit); }
  held* elsewhere() { return *std::launder(reinterpret_cast<held**>(value_)); }
  bool is_held() const { return has_details() ? more()->is_held : (word_ & held_bit) != 0; }
  void clear();
  details& make_details();
  void drop_details();
  void set_state(state s, bool is_held);
  static std::uint64_t word_of(state s, bool is_held, const uses& u) {
    if (s == state::invalid) return 0;
    return shared_bit | (s == state::modified ? modified_bit : 0) | (is_held ? held_bit : 0) |
           (std::uint64_t{u.writes} * one_write & writes_mask) | std::uint64_t{u.reads} << 32;
  }

  std::uint64_t word_ = 0;
  alignas(held*) std::byte value_[sizeof(held*)]{};  // or its address, if it is larger
};
static_assert(sizeof(copy) == 16);

}  // namespace tsubu::data
