// What a handler is, and the loop over a run of its packets.
//
//   struct add_to_bin {                                        // a type names the handler
//     using layout = wire::layout<std::uint32_t, long>;        // what its packets carry
//     static void call(const delivery&, std::uint32_t bin, long n);
//   };
//   endpoint.send<add_to_bin>(to, bin, n);
//
// A handler whose packets announce a bulk also has `static std::byte* place(const delivery&, values...)`,
// which checks the values and says where the bulk lands. `static constexpr bool counted = false` takes a
// handler out of quiescence: for the runtime's own control.
//
// A handler of fixed packets that can do better with many of them at a time also has
//     static void run(const delivery&, const std::byte* begin, const std::byte* end);   // of their bytes
// which is called instead, does what call() would do for each in turn, and throws nothing.
//
// A handler that jumps about in memory larger than the cache may say where, so that it is fetched while
// packets before it are executed:
//     static constexpr int stages = 1;
//     static const void* address(int stage, values...);        // of any line; null: nothing to fetch
// If it matters who has sent it, `static constexpr bool address_by_sender = true`, and address(int stage, const
// delivery&, values...). With more stages, stage s may read what the stages before it have named: a list's head, then
// its first element. The packet has not been executed then, and packets before it may change what it will find: an
// address is a hint, but it must be readable memory wherever a later stage reads it. If stage 0 of a run's
// first packet names nothing, none of the run is asked; and a handler that runs faster without, since its data
// are in the cache, is left alone but for a try now and then.
//
// A handler may have a type `around_run`: one lives while a run of its packets is executed, and its executed() is
// called after each of them.
#pragma once

#include <typeinfo>

#include "tsubu/base/clock.hpp"
#include "tsubu/message/endpoint.hpp"

namespace tsubu::message {

// A base of the handlers of the runtime's own control.
struct uncounted {
  static constexpr bool counted = false;
};

template <class H>
concept places_bulks = requires { &H::place; };

template <class H>
concept runs_of = requires { &H::run; };

template <class H>
constexpr bool is_counted() {
  if constexpr (requires { H::counted; }) {
    return H::counted;
  } else {
    return true;
  }
}

// What its packets are to a machine that sends each kind its own way: `static constexpr message_kind kind`, and
// `static constexpr std::size_t words` where not each value of its layout is one.
template <class H>
constexpr message_kind kind_of() {
  if constexpr (requires { H::kind; }) {
    return H::kind;
  } else {
    return is_counted<H>() ? message_kind::past : message_kind::control;
  }
}
template <class H>
constexpr std::size_t words_of() {
  if constexpr (requires { H::words; }) {
    return H::words;
  } else {
    return H::layout::values;
  }
}

struct nothing_around {
  static void executed() {}
};
template <class H>
struct around_run_of {
  using type = nothing_around;
};
template <class H>
  requires requires { typename H::around_run; }
struct around_run_of<H> {
  using type = typename H::around_run;
};

// Which of two ways to run a handler's packets has been the faster one lately. The other is tried again
// now and then: what a handler finds in the cache changes as its program goes on.
class faster_way {
 public:
  bool first() { return (++runs_ % 16 == 0) != (ticks_[0] <= ticks_[1]); }
  void took(bool first, std::uint64_t ticks, std::ptrdiff_t packets) {
    float& average = ticks_[first ? 0 : 1];
    const float each = static_cast<float>(ticks) / static_cast<float>(packets);
    average = average == 0 ? each : average + (each - average) / 4;
  }

 private:
  float ticks_[2] = {0, 0};  // of a packet; 0: not tried yet
  std::uint32_t runs_ = 0;
};

template <class H>
class registered {
  using layout = typename H::layout;

  static constexpr int stages = [] {
    if constexpr (requires { H::stages; }) {
      return H::stages;
    } else {
      return 0;
    }
  }();
  // Packets between two stages of one packet, and between its last stage and its execution: what a core
  // can have under way to memory, about.
  static constexpr std::ptrdiff_t stage_packets = 16;

  static const void* address(int stage, const wire::run& r, const std::byte* packet) {
    return layout::read(packet, [stage, &r](auto&&... values) {
      if constexpr (requires { H::address_by_sender; }) {
        return H::address(stage, delivery{r.from, nullptr, 0}, values...);
      } else {
        return H::address(stage, values...);
      }
    });
  }

  // Fetches for what comes behind packet number `at`, which is negative before the first is executed.
  [[gnu::always_inline]] static void look_ahead(const wire::run& r, std::ptrdiff_t at, std::ptrdiff_t count) {
    for (int stage = 0; stage < stages; ++stage) {
      const std::ptrdiff_t other = at + (stages - stage) * stage_packets;
      if (other >= 0 && other < count) {
        __builtin_prefetch(address(stage, r, r.begin + other * std::ptrdiff_t{layout::packet_bytes}));
      }
    }
  }

  static std::size_t execute_fixed(const wire::run& r) {
    if (r.tag_bytes != 0) [[unlikely]]
      return execute_tagged(r);
    if constexpr (stages > 0) {
      const auto count = (r.end - r.begin) / std::ptrdiff_t{layout::packet_bytes};
      if (count >= 2 * stages * stage_packets && address(0, r, r.begin) != nullptr) {
        static thread_local constinit faster_way way;
        const bool ahead = way.first();
        const std::uint64_t from = ticks();
        if (ahead) {
          for (std::ptrdiff_t at = -stages * stage_packets; at < 0; ++at) look_ahead(r, at, count);
          execute_packets<true>(r);
        } else {
          execute_packets<false>(r);
        }
        way.took(ahead, ticks() - from, count);
        return static_cast<std::size_t>(count);
      }
    }
    return execute_packets<false>(r);
  }

  template <bool ahead>
  static std::size_t execute_packets(const wire::run& r) {
    constexpr std::size_t bytes = layout::packet_bytes;
    const delivery d{r.from, r.bulk, r.bulk_bytes};
    if constexpr (runs_of<H>) {
      H::run(d, r.begin, r.end);
      return static_cast<std::size_t>(r.end - r.begin) / bytes;
    }
    [[maybe_unused]] typename around_run_of<H>::type around;
    const std::byte* packet = r.begin;
    const std::byte* const end = r.end;  // which a handler's stores could change, for all that a compiler knows
    while (packet != end) {
      try {
        for (; packet != end; packet += bytes) {
          if constexpr (ahead) {
            look_ahead(r, (packet - r.begin) / std::ptrdiff_t{bytes}, (end - r.begin) / std::ptrdiff_t{bytes});
          }
          layout::read(packet, [&d](auto&&... values) { H::call(d, std::move(values)...); });
          around.executed();
        }
      } catch (...) {
        packet += bytes;
        this_endpoint->escaped(entry, std::current_exception());
      }
    }
    return static_cast<std::size_t>(end - r.begin) / bytes;
  }

  // The packets of a run that came over other PEs: each has the PE it is from in front.
  [[gnu::noinline]] static std::size_t execute_tagged(const wire::run& r) {
    constexpr std::size_t bytes = sizeof(pe_id) + layout::packet_bytes;
    delivery d{r.from, nullptr, 0};
    [[maybe_unused]] typename around_run_of<H>::type around;
    const std::byte* packet = r.begin;
    const std::byte* const end = r.end;
    while (packet != end) {
      try {
        for (; packet != end; packet += bytes) {
          std::memcpy(&d.from, packet, sizeof d.from);
          layout::read(packet + sizeof d.from, [&d](auto&&... values) { H::call(d, std::move(values)...); });
          around.executed();
        }
      } catch (...) {
        packet += bytes;
        this_endpoint->escaped(entry, std::current_exception());
      }
    }
    return static_cast<std::size_t>(end - r.begin) / bytes;
  }

  static std::size_t execute_variable(const wire::run& r) {
    delivery d{r.from, r.bulk, r.bulk_bytes};
    [[maybe_unused]] typename around_run_of<H>::type around;
    std::size_t count = 0;
    const std::byte* packet = r.begin;
    while (packet != r.end) {
      if (r.tag_bytes != 0) std::memcpy(&d.from, packet, sizeof d.from);
      packet += r.tag_bytes;
      const auto left = static_cast<std::size_t>(r.end - packet);
      std::uint32_t bytes = 0;
      if (left >= sizeof bytes) std::memcpy(&bytes, packet, sizeof bytes);
      if (left < sizeof bytes || bytes > left - sizeof bytes) {
        this_endpoint->bad_run(r, packet, "a packet's length goes past its run");
      }
      packet += sizeof bytes;
      call_variable(r, d, packet, packet + bytes);
      around.executed();
      packet += bytes;
      ++count;
    }
    return count;
  }

  static std::size_t execute_in_bulk(const wire::run& r) {
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
          this_endpoint->bad_run(r, begin, bad.what());
        }
      }
      this_endpoint->escaped(entry, std::move(e));
    }
  }

  static std::size_t execute(const wire::run& r) {
    if constexpr (layout::fixed) {
      return execute_fixed(r);
    } else if (r.batch_begin == nullptr) {
      return execute_in_bulk(r);
    } else {
      return execute_variable(r);
    }
  }

  static std::byte* place(const wire::run& r) {
    if constexpr (places_bulks<H>) {
      const delivery d{r.from, nullptr, r.bulk_bytes};
      return layout::read(r.begin, [&d](auto&&... values) { return H::place(d, std::move(values)...); });
    } else {
      return nullptr;
    }
  }

 public:
  inline static wire::handler_entry entry{
      typeid(H).name(), &execute,     layout::packet_bytes, places_bulks<H> ? &place : nullptr,
      is_counted<H>(),  kind_of<H>(), words_of<H>()};
};

template <class H, class... V>
void endpoint::send(pe_id to, const V&... values) {
  using layout = typename H::layout;
  const wire::handler_entry& handler = registered<H>::entry;
  if constexpr (layout::fixed) {
    constexpr std::size_t bytes = layout::packet_bytes;
    // A batch holds 256 bytes at least: beyond that it depends on the job's settings.
    if (bytes <= smallest_packet_limit || bytes <= packet_limit_) {
      layout::write(append(to, handler, bytes), values...);
    } else {
      std::vector<std::byte> packet(bytes);
      layout::write(packet.data(), values...);
      send_in_bulk(to, handler, std::move(packet));
    }
  } else {
    scratch_.clear();
    layout::write_variable(scratch_, values...);
    send_scratch(to, handler);
  }
}

template <class H>
std::span<std::byte> endpoint::send_in_place(pe_id to, std::size_t most) {
  constexpr std::size_t bytes = H::layout::packet_bytes;
  static_assert(H::layout::fixed && bytes <= smallest_packet_limit);
  std::byte* const first = append(to, registered<H>::entry, bytes);
  if (routed()) return {first, bytes};  // a packet may have a tag in front
  outgoing& o = out_[static_cast<std::uint32_t>(to)];
  const std::size_t more = std::min(most - 1, static_cast<std::size_t>(o.limit - o.cursor) / bytes);
  o.cursor += more * bytes;
  return {first, (1 + more) * bytes};
}

template <class H, class... V>
void endpoint::send_bulk(pe_id to, transport::bulk_source source, const V&... values) {
  using layout = typename H::layout;
  static_assert(layout::fixed && places_bulks<H> && layout::packet_bytes <= smallest_packet_limit);
  const wire::handler_entry& handler = registered<H>::entry;
  require(!source.bytes.empty(), "a bulk of no bytes is sent");
  const bulk_head head = start_bulk(to, handler.number, layout::packet_bytes);
  layout::write(head.packet, values...);
  count_sent(handler, 1, layout::packet_bytes + source.bytes.size());
  count_sent_to(to, handler, 1);
  post_bulk(head, source);
}

}  // namespace tsubu::message
