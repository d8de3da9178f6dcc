// The loop over the packets of a run, compiled for one handler.
//
// An exception that leaves the handler goes to the endpoint's escape hook, and the loop goes on with the next packet.
// The run's header has been checked; what the packets themselves say of their length is checked here.
#pragma once

#include <algorithm>
#include <exception>
#include <utility>

#include "tsubu/message/endpoint.hpp"
#include "tsubu/message/fetch_ahead.hpp"
#include "tsubu/message/handler_traits.hpp"
#include "tsubu/message/one_by_one.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::message {

template <class H>
class registered;

// Runs of handlers that look ahead. These two are compiled once for all that look in the same way, and are given the
// handler's loop.
using execute_packets_function = std::size_t (*)(const wire::run&, bool fetches);

// With fetching ahead or without, whichever has been faster lately.
template <class Ahead>
[[gnu::noinline]] std::size_t execute_timed(const wire::run& r, const wire::handler_entry& handler,
                                            execute_packets_function execute_packets) {
  if (!Ahead::has_something(r)) return execute_packets(r, false);
  const std::ptrdiff_t count = (r.end - r.begin) / std::ptrdiff_t{handler.packet_bytes};
  adaptive_switch& chosen = this_endpoint->switch_of(handler);
  const bool fetches = chosen.begin_run();
  if (fetches) Ahead::begin(r, count);
  execute_packets(r, fetches);
  chosen.end_run(count);
  return static_cast<std::size_t>(count);
}

template <class Ahead>
[[gnu::noinline]] std::size_t execute_looking_ahead(const wire::run& r, const wire::handler_entry& handler,
                                                    execute_packets_function execute_packets,
                                                    wire::handler_entry::execute_function execute_one_by_one) {
  if (r.tag_bytes != 0) [[unlikely]]
    return execute_one_by_one(r);
  if (r.end - r.begin < Ahead::least_packets * std::ptrdiff_t{handler.packet_bytes}) return execute_packets(r, false);
  return execute_timed<Ahead>(r, handler, execute_packets);
}

template <class H>
class run_loop {
 public:
  // Executes all packets of a run and returns how many they were. Defined below, since what is defined in a class is
  // compiled wherever it is named, even if an `extern template` says that it is elsewhere.
  static std::size_t execute(const wire::run& r);

  // Where the bulk lands that came with a run of one packet.
  static std::byte* place(const wire::run& r)
    requires places_bulks<H>;

 private:
  using layout = typename H::layout;
  using around_run = typename around_run_of<H>::type;
  using ahead = fetch_ahead<typename looks_of<H>::type>;

  static std::size_t execute_fixed(const wire::run& r) {
    if constexpr (seldom<H>) {
      return execute_one_by_one(r);
    } else {
      if constexpr (ahead::stages > 0) {
        return execute_looking_ahead<ahead>(r, registered<H>::entry, &execute_packets, &execute_one_by_one);
      } else {
        if (r.tag_bytes != 0) [[unlikely]]
          return execute_one_by_one(r);
        return execute_packets(r, false);
      }
    }
  }

  static std::size_t execute_packets(const wire::run& r, [[maybe_unused]] bool fetches) {
    constexpr std::ptrdiff_t bytes = layout::packet_bytes;
    const delivery d{r.from, r.bulk, r.bulk_bytes};
    if constexpr (runs_of<H>) {
      H::run(d, r.begin, r.end);
      return static_cast<std::size_t>((r.end - r.begin) / bytes);
    }
    [[maybe_unused]] around_run around;
    const std::byte* packet = r.begin;
    const std::byte* const end = r.end;  // which a handler's stores could change, for all that a compiler knows
    const std::byte* until = end;
    if constexpr (ahead::stages > 0) {
      if (fetches) until = packet;
    }
    while (packet != end) {
      if constexpr (ahead::stages > 0) {
        if (packet == until) {
          ahead::before(r, (packet - r.begin) / bytes, ahead::step, (end - r.begin) / bytes);
          until = std::min(packet + ahead::step * bytes, end);
        }
      }
      try {
        for (; packet != until; packet += bytes) {
          layout::read(packet, [&d, &around](auto&&... values) { call_one(around, d, std::move(values)...); });
          around.executed();
        }
      } catch (...) {
        packet += bytes;
        escaped_now(registered<H>::entry);
      }
    }
    return static_cast<std::size_t>((end - r.begin) / bytes);
  }

  template <class... V>
  [[gnu::always_inline]] static void call_one([[maybe_unused]] const around_run& around, const delivery& d,
                                              V&&... values) {
    if constexpr (requires { H::call_in_run(around, d, std::move(values)...); }) {
      H::call_in_run(around, d, std::move(values)...);
    } else {
      H::call(d, std::move(values)...);
    }
  }

  // Not for speed: what came over other PEs, what is executed seldom, and packets that tell their own length.
  static std::size_t execute_one_by_one(const wire::run& r) {
    if constexpr (layout::fixed && shares_one_by_one<H>) {
      return H::execute_one_by_one(r);
    } else if constexpr (layout::fixed) {
      around_run around;
      return message::execute_one_by_one(r, registered<H>::entry, &around, &execute_packet);
    } else {
      around_run around;
      return message::execute_one_by_one(r, &around, &execute_variable_packet);
    }
  }

  static void execute_packet(void* around, const delivery& d, const std::byte* packet) {
    layout::read(packet, [&d](auto&&... values) { H::call(d, std::move(values)...); });
    static_cast<around_run*>(around)->executed();
  }

  static void execute_variable_packet(void* around, const wire::run& r, const delivery& d, const std::byte* begin,
                                      const std::byte* end) {
    call_variable(r, d, begin, end);
    static_cast<around_run*>(around)->executed();
  }

  static std::size_t execute_bare(const wire::run& r) {
    const delivery d{r.from, nullptr, 0};
    call_variable(r, d, r.begin, r.end);
    return 1;
  }

  static void call_variable(const wire::run& r, const delivery& d, const std::byte* begin, const std::byte* end) {
    bool called = false;
    try {
      layout::read_variable(begin, end, [&](auto&&... values) {
        called = true;
        H::call(d, std::move(values)...);
      });
    } catch (...) {
      std::exception_ptr e = std::current_exception();
      if (!called) {
        try {
          std::rethrow_exception(e);
        } catch (const std::exception& bad) {
          bad_run(r, begin, bad.what());
        }
      }
      this_endpoint->escaped(registered<H>::entry, std::move(e));
    }
  }
};

template <class H>
std::size_t run_loop<H>::execute(const wire::run& r) {
  if constexpr (layout::fixed) {
    return execute_fixed(r);
  } else if (r.bare) {
    return execute_bare(r);
  } else {
    return execute_one_by_one(r);
  }
}

template <class H>
std::byte* run_loop<H>::place(const wire::run& r)
  requires places_bulks<H>
{
  const delivery d{r.from, nullptr, r.bulk_bytes};
  return layout::read(r.begin, [&d](auto&&... values) { return H::place(d, std::move(values)...); });
}

}  // namespace tsubu::message
