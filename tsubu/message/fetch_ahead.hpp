// Fetches what the packets of a run will touch, while packets before them are executed.
//
// A handler that jumps about in memory larger than the cache waits for memory at each packet. It may say where it will
// look:
//     static constexpr int stages = 1;
//     static const void* address(int stage, values...);        // of any line; null: nothing to fetch
// If it matters who has sent the packet, `static constexpr bool address_by_sender = true`, and address(int stage, const
// delivery&, values...). With more stages, stage s may read what the stages before it have named: a list's head, then
// its first element. The packet has not been executed then, and packets before it may change what it will find: an
// address is a hint, but it must be readable memory wherever a later stage reads it. If stage 0 of a run's first packet
// names nothing, none of the run is asked; and a handler that runs faster without, since its data are in the cache, is
// left alone but for a try now and then.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tsubu/message/handler_traits.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::message {

// Which of two ways to execute a handler's packets has been the faster one lately. The other is tried again now and
// then: what a handler finds in the cache changes as its program goes on.
class adaptive_switch {
 public:
  // A run is executed between these two; by the first way if begin_run() says so. Runs of one handler do not nest.
  bool begin_run();
  void end_run(std::ptrdiff_t packets);

  bool first() { return (++runs_ % 16 == 0) != (ticks_[0] <= ticks_[1]); }
  void took(bool first, std::uint64_t ticks, std::ptrdiff_t packets) {
    float& average = ticks_[first ? 0 : 1];
    const float each = static_cast<float>(ticks) / static_cast<float>(packets);
    average = average == 0 ? each : average + (each - average) / 4;
  }

 private:
  float ticks_[2] = {0, 0};  // of a packet; 0: not tried yet
  std::uint32_t runs_ = 0;
  bool in_first_ = false;  // the run that is executed goes the first way
  std::uint64_t began_ = 0;
};

// What a handler says with address(), of a packet.
template <class H>
struct looks_at_values {
  static constexpr int stages = [] {
    if constexpr (requires { H::stages; }) {
      return H::stages;
    } else {
      return 0;
    }
  }();
  static const void* address(int stage, pe_id from, const std::byte* packet) {
    return H::layout::read(packet, [stage, from](auto&&... values) {
      if constexpr (requires { H::address_by_sender; }) {
        return H::address(stage, delivery{from, nullptr, 0}, values...);
      } else {
        static_cast<void>(from);
        return H::address(stage, values...);
      }
    });
  }
};

// Handlers that look in the same way, at the bytes that their packets begin with, may share the code: as
// looks_at_values, named `looks`.
template <class H>
struct looks_of {
  using type = looks_at_values<H>;
};
template <class H>
  requires requires { typename H::looks; }
struct looks_of<H> {
  using type = typename H::looks;
};

template <class Looks>
class fetch_ahead {
  // Packets between two stages of one packet, and between its last stage and its execution: what a core can have under
  // way to memory, about.
  static constexpr std::ptrdiff_t stage_packets = 16;

 public:
  static constexpr int stages = Looks::stages;
  // Packets that are executed between two looks ahead.
  static constexpr std::ptrdiff_t step = 8;

  // A run of so many is long enough.
  static constexpr std::ptrdiff_t least_packets = 2 * stages * stage_packets;
  // The first packet of the run has something to fetch.
  static bool has_something(const wire::run& r) { return Looks::address(0, r.from, r.begin) != nullptr; }

  // Before the first packet of a run is executed.
  static void begin(const wire::run& r, std::ptrdiff_t count) {
    before(r, -stages * stage_packets, stages * stage_packets, count);
  }

  // Before the packets with the `many` numbers from `at` on are executed: fetches for what comes behind them.
  [[gnu::noinline]] static void before(const wire::run& r, std::ptrdiff_t at, std::ptrdiff_t many,
                                       std::ptrdiff_t count) {
    const std::ptrdiff_t bytes = (r.end - r.begin) / count;
    for (const std::ptrdiff_t end = at + many; at < end; ++at) {
      for (int stage = 0; stage < stages; ++stage) {
        const std::ptrdiff_t other = at + (stages - stage) * stage_packets;
        if (other >= 0 && other < count) __builtin_prefetch(Looks::address(stage, r.from, r.begin + other * bytes));
      }
    }
  }
};

}  // namespace tsubu::message
