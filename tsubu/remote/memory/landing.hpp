// Split-phase reads: a read is asked for in one place of a program and waited for in another, and its value lands where
// the program said.
//
// Packets from one PE to another are executed in the order they were sent, so the values come back in the order in
// which they were asked for. A request carries the address and nothing else, an answer the value and nothing else; the
// reader keeps, for each PE, a queue of the places that wait for values from there. A value that nobody has asked for
// ends the job.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <source_location>
#include <span>
#include <vector>

#include "tsubu/base/paged_array.hpp"
#include "tsubu/remote/messages/send.hpp"
#include "tsubu/remote/messages/waiting_line.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/task/oneshot.hpp"

namespace tsubu {

namespace remote {

class landing_wait;

// Places that wait for values from one PE, first come, first served.
class alignas(128) landing {
 public:
  void push(void* place) { places_.push(static_cast<std::byte*>(place)); }
  void push(std::byte* const* places, std::size_t count) { places_.push(places, count); }

  // `count` values of N bytes have come.
  template <std::size_t N>
  void land(pe_id from, const std::byte* values, std::size_t count) {
    if (count > places_.size()) [[unlikely]]
      refuse(from, N, count);
    places_.take(count, [&values](std::byte** places, std::size_t n) {
      for (std::byte* const* const end = places + n; places != end; ++places, values += N)
        std::memcpy(*places, values, N);
    });
    if (places_.taken() >= first_mark_) reach_marks();
  }

  // `waiter` is told when all that has been asked for has landed. False if it has already.
  bool mark(landing_wait& waiter);
  void unmark(const landing_wait& waiter);

 private:
  struct mark_at {
    std::uint64_t position;
    landing_wait* waiter;
  };
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  void reach_marks();
  [[noreturn, gnu::cold]] void refuse(pe_id from, std::size_t bytes, std::size_t count) const;

  waiting_line<std::byte> places_;
  std::uint64_t first_mark_ = none;
  std::vector<mark_at> marks_;  // in the order of their positions
};

// By PE, for values of one size.
class landings {
 public:
  landings();
  landings(const landings&) = delete;
  landings& operator=(const landings&) = delete;

  landing& operator[](pe_id pe) { return by_pe_[static_cast<std::uint32_t>(pe)]; }
  // Calls f(landing) for each that there is.
  template <class F>
  void for_each(F f) {
    by_pe_.for_each_made(f);
  }

 private:
  paged_array<landing> by_pe_;
};

template <std::size_t N>
struct landed {
  using layout = wire::layout<std::array<std::byte, N>>;
  static constexpr message_kind kind = message_kind::answer;
  inline static pe_local<landings> places;
  static void call(const message::delivery& d, const std::array<std::byte, N>& value) {
    (*places)[d.from].template land<N>(d.from, value.data(), 1);
  }
  static void run(const message::delivery& d, const std::byte* begin, const std::byte* end) {
    (*places)[d.from].template land<N>(d.from, begin, static_cast<std::size_t>(end - begin) / N);
  }
};

// A request in one word.
template <std::size_t N>
struct read_near {
  using layout = wire::layout<std::uint64_t>;
  static constexpr message_kind kind = message_kind::read;

  static void call(const message::delivery& d, std::uint64_t word) {
    const near_address at{word};
    std::array<std::byte, N> value;
    std::memcpy(value.data(), current_pe->segments.at(at.segment(), at.offset(), N, d.from), N);
    remote::send<landed<N>>(d.from, value);
  }

  static void run(const message::delivery& d, const std::byte* begin, const std::byte* end) {
    recent_segment<N> memory(current_pe->segments, d.from);
    while (begin != end) {
      const auto left = static_cast<std::size_t>(end - begin) / sizeof(near_address);
      const std::span<std::byte> values = message::this_endpoint->send_in_place<landed<N>>(d.from, left);
      std::byte* const values_end = values.data() + values.size();
      for (std::byte* value = values.data(); value != values_end; value += N, begin += sizeof(near_address))
        std::memcpy(value, memory.at(wire::load<near_address>(begin)), N);
    }
  }
};

// A request in half a word.
template <std::size_t N>
struct read_close {
  using layout = wire::layout<std::uint32_t>;
  static constexpr message_kind kind = message_kind::read;

  static void call(const message::delivery& d, std::uint32_t word) {
    read_near<N>::call(d, close_address<N>{word}.near().word);
  }

  static void run(const message::delivery& d, const std::byte* begin, const std::byte* end) {
    recent_segment<N> memory(current_pe->segments, d.from);
    while (begin != end) {
      const auto left = static_cast<std::size_t>(end - begin) / sizeof(close_address<N>);
      const std::span<std::byte> values = message::this_endpoint->send_in_place<landed<N>>(d.from, left);
      std::byte* const values_end = values.data() + values.size();
      for (std::byte* value = values.data(); value != values_end; value += N, begin += sizeof(close_address<N>))
        std::memcpy(value, memory.at(wire::load<close_address<N>>(begin).near()), N);
    }
  }
};

template <std::size_t N>
struct read_far {
  using layout = wire::layout<segment_id, std::uint64_t>;
  static constexpr message_kind kind = message_kind::read;
  static constexpr std::size_t words = 1;
  static void call(const message::delivery& d, segment_id id, std::uint64_t offset) {
    std::array<std::byte, N> value;
    std::memcpy(value.data(), current_pe->segments.at(id, offset, N, d.from), N);
    remote::send<landed<N>>(d.from, value);
  }
};

template <std::size_t N>
void ask_to_land(pe_id pe, segment_id id, std::uint64_t offset, void* place) {
  if (close_address<N>::fits(id, offset)) [[likely]] {
    remote::send<read_close<N>>(pe, close_address<N>::of(id, offset).word);
  } else if (near_address::fits(offset)) {
    remote::send<read_near<N>>(pe, near_address::of(id, offset).word);
  } else {
    remote::send<read_far<N>>(pe, id, offset);
  }
  (*landed<N>::places)[pe].push(place);
}

// What reads_landed() returns.
class [[nodiscard]] landing_wait {
 public:
  landing_wait() = default;
  landing_wait(const landing_wait&) = delete;
  landing_wait& operator=(const landing_wait&) = delete;
  ~landing_wait();

  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    suspend(task, where);
  }
  void suspend(ready_item who, std::source_location where);
  void await_resume() { all_.await_resume(); }

  void reached_one() {
    if (--ahead_ == 0) all_.set_value();
  }

 private:
  oneshot<void> all_{"values to land"};
  int ahead_ = 0;  // queues that have not come to this one's mark
};

}  // namespace remote

// `co_await reads_landed()`: returns when each value that this PE has asked for with read_to() until now, by any of its
// tasks, is in its place. Others run meanwhile, even if all are there already.
// Local; blocks until the values are in place; throws nothing.
inline remote::landing_wait reads_landed() { return {}; }

}  // namespace tsubu
