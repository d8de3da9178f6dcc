// Keys that were counted on this PE and have not left it, because the same key may come again: then one message goes
// for both. Each key has two slots, one beside the other; where others have both, the one that came less often is sent,
// and the key takes its place.
//
// It finds out by itself how large it should be, and whether it is worth its while. In windows of some thousand keys it
// counts how many met their like. As long as a table of twice the size finds noticeably more, it grows; where even
// that finds less than half, it is switched off for a while, and then tried again: where many do not meet their like,
// to look for it takes longer between two cores than to send them. No clock is asked, so jobs repeat.
//
// As with past_combining() (tsubu/remote/messages/write_combining_table.hpp), what is kept counts as something that its
// PE has to do and that its epoch waits for, and leaves when the PE would send what it has gathered.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "tsubu/remote/messages/send.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/step_hooks.hpp"
#include "tsubu/task/group.hpp"

namespace tsubu::containers {

// H is a type with `static void send(pe_id to, std::uint16_t which, const K& key, std::int64_t n)`.
template <class K, class H>
class merge_cache final : remote::deferred_sends {
  struct slot {
    K key{};
    task_group* group = nullptr;
    std::int32_t n = 0;  // short, so that two slots of short keys are a cache line
    pe_id to = no_pe;
  };

 public:
  static constexpr std::size_t least_slots = 1024;
  // 4 MiB: more than stays in a core's own cache, but a slot that is far away still costs less than a message.
  static constexpr std::size_t most_slots =
      std::max(least_slots, std::bit_floor((std::size_t{1} << 22) / sizeof(slot)));

  std::uint16_t which = 0;

  // False: this key is to be sent as it is. `key` is a K, or a view of one.
  template <class View>
  bool keep(pe_id to, std::uint64_t hash, const View& key, std::int64_t n) {
    if (off_for_ != 0) [[unlikely]] {
      --off_for_;
      return false;
    }
    if (left_in_window_-- == 0) [[unlikely]]
      tune();
    const std::size_t place = hash & (slots_.size() - 2);
    if (adds(slots_[place], to, key, n) || adds(slots_[place + 1], to, key, n)) return true;
    if (n != static_cast<std::int32_t>(n)) return false;
    const bool second =
        slots_[place].to != no_pe && (slots_[place + 1].to == no_pe || slots_[place + 1].n <= slots_[place].n);
    slot& s = slots_[place + (second ? 1 : 0)];
    if (s.to != no_pe) {
      send_one(s);
    } else {
      note(place + (second ? 1 : 0));
    }
    s.group = this_task_group;
    s.key = key;
    s.n = static_cast<std::int32_t>(n);
    s.to = to;
    if (s.group != nullptr) ++s.group->waiting;
    return true;
  }

  // For tests and statistics.
  std::size_t slots() const { return off_for_ != 0 ? 0 : slots_.size(); }

 private:
  // False: the slot has another key, or no room for so many.
  template <class View>
  bool adds(slot& s, pe_id to, const View& key, std::int64_t n) {
    if (s.to != to || !(s.key == key) || s.group != this_task_group) return false;
    std::int32_t sum = 0;
    if (__builtin_add_overflow(s.n, n, &sum)) [[unlikely]]
      return false;
    s.n = sum;
    ++met_;
    return true;
  }

  void note(std::size_t place) {
    if (!deferred_) remote::current_pe->defer(*this);
    deferred_ = true;
    used_.push_back(static_cast<std::uint32_t>(place));
  }

  void send_one(const slot& s) {
    const task_group_scope inside(s.group);
    H::send(s.to, which, s.key, s.n);
    if (s.group != nullptr) --s.group->waiting;
  }

  void send_all() override {
    for (const std::uint32_t place : used_) {
      send_one(slots_[place]);
      slots_[place].to = no_pe;
    }
    used_.clear();
    deferred_ = false;
  }

  // A window has ended.
  void tune() {
    const std::uint32_t met = met_, window = window_;
    if (window == 0) return resize(least_slots);  // it is the first key
    begin_window(slots_.size());
    const bool no_gain = grown_ && met < met_before_ + window / 32;
    if (no_gain) {
      resize(slots_.size() / 2);
      settled_for_ = windows_settled;
    }
    const bool may_grow = !no_gain && settled_for_ == 0 && slots_.size() < most_slots && met < window / 8 * 7;
    if (!may_grow && met < window / 2) {
      off_for_ = rest_;
      rest_ = std::min(2 * rest_, longest_rest);
      settled_for_ = 0;
      grown_ = false;
      return;
    }
    if (met >= window / 2) rest_ = first_rest;
    if (settled_for_ != 0) --settled_for_;
    grown_ = may_grow;
    met_before_ = met;
    if (may_grow) resize(2 * slots_.size());
  }

  void begin_window(std::size_t slots) {
    window_ = left_in_window_ = static_cast<std::uint32_t>(slots);
    met_ = 0;
  }
  void resize(std::size_t slots) {
    for (const std::uint32_t place : used_) send_one(slots_[place]);
    used_.clear();
    slots_.assign(slots, slot());
    begin_window(slots);
  }

  static constexpr std::uint32_t first_rest = 1U << 16, longest_rest = 1U << 22;
  static constexpr std::uint32_t windows_settled = 64;

  std::vector<slot> slots_;          // two for each place
  std::vector<std::uint32_t> used_;  // places, each once
  bool deferred_ = false;            // its PE will ask it to send
  std::uint32_t window_ = 0, left_in_window_ = 0, met_ = 0;
  std::uint32_t met_before_ = 0;  // in the window before, with half the slots if it has grown since
  bool grown_ = false;
  std::uint32_t settled_for_ = 0;    // windows until it tries to grow again
  std::uint32_t off_for_ = 0;        // keys until it is tried again
  std::uint32_t rest_ = first_rest;  // so many the next time
};

}  // namespace tsubu::containers
