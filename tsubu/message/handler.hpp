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
#pragma once

#include <typeinfo>

#include "tsubu/message/endpoint.hpp"

namespace tsubu::message {

template <class H>
concept places_bulks = requires { &H::place; };

template <class H>
constexpr bool is_counted() {
  if constexpr (requires { H::counted; }) {
    return H::counted;
  } else {
    return true;
  }
}

template <class H>
class registered {
  using layout = typename H::layout;

  static std::size_t execute_fixed(const wire::run& r) {
    constexpr std::size_t bytes = layout::packet_bytes;
    const delivery d{r.from, r.bulk, r.bulk_bytes};
    const std::byte* packet = r.begin;
    while (packet != r.end) {
      try {
        for (; packet != r.end; packet += bytes) {
          layout::read(packet, [&d](auto&&... values) { H::call(d, std::move(values)...); });
        }
      } catch (...) {
        packet += bytes;
        this_endpoint->escaped(entry, std::current_exception());
      }
    }
    return static_cast<std::size_t>(r.end - r.begin) / bytes;
  }

  static std::size_t execute_variable(const wire::run& r) {
    const delivery d{r.from, r.bulk, r.bulk_bytes};
    std::size_t count = 0;
    const std::byte* packet = r.begin;
    while (packet != r.end) {
      const auto left = static_cast<std::size_t>(r.end - packet);
      std::uint32_t bytes = 0;
      if (left >= sizeof bytes) std::memcpy(&bytes, packet, sizeof bytes);
      if (left < sizeof bytes || bytes > left - sizeof bytes) {
        this_endpoint->bad_run(r, packet, "a packet's length goes past its run");
      }
      packet += sizeof bytes;
      call_variable(r, d, packet, packet + bytes);
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
  inline static wire::handler_entry entry{typeid(H).name(), &execute, layout::packet_bytes,
                                          places_bulks<H> ? &place : nullptr, is_counted<H>()};
};

template <class H, class... V>
void endpoint::send(pe_id to, const V&... values) {
  using layout = typename H::layout;
  const wire::handler_entry& handler = registered<H>::entry;
  if constexpr (layout::fixed) {
    constexpr std::size_t bytes = layout::packet_bytes;
    // A batch holds 256 bytes at least: beyond that it depends on the job's settings.
    if (bytes <= 248 || bytes <= packet_limit_) {
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

template <class H, class... V>
void endpoint::send_bulk(pe_id to, transport::bulk_source source, const V&... values) {
  using layout = typename H::layout;
  static_assert(layout::fixed && places_bulks<H> && layout::packet_bytes <= 248);
  TSUBU_CHECK(static_cast<std::uint32_t>(to) < static_cast<std::uint32_t>(pe_count_), no_such_pe(to));
  TSUBU_CHECK(!source.bytes.empty(), "a bulk of no bytes is sent");
  close_and_post(to, out_[static_cast<std::size_t>(to)], flush_reason::order);
  transport::batch* head = transport_.acquire();
  const run_header header{registered<H>::entry.number, layout::packet_bytes};
  std::memcpy(head->data(), &header, sizeof header);
  layout::write(head->data() + sizeof header, values...);
  head->size = sizeof header + layout::packet_bytes;
  count_sent(to, registered<H>::entry, 1, layout::packet_bytes + source.bytes.size());
  post_bulk(to, head, source);
}

}  // namespace tsubu::message
