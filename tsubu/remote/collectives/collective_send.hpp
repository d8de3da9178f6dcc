// How the values of collectives go from member to member: in a packet; or, of a vector that fits no batch, the elements
// as a bulk, which lands where they lie in the vector that the receiver gets, or in the place that it has for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/remote/collectives/collective_box.hpp"
#include "tsubu/remote/messages/send.hpp"

namespace tsubu::remote {

template <class X>
inline constexpr bool travels_as_bulk =
    wire::plain<X> && !wire::weightless<X> && std::is_default_constructible_v<X> && !std::is_same_v<X, bool>;

// Values that are a vector of such elements, and perhaps a number besides, which goes in the bulk's head.
template <class T>
struct as_bulk {
  static constexpr bool known = false;
};
template <class X>
  requires travels_as_bulk<X>
struct as_bulk<std::vector<X>> {
  static constexpr bool known = true;
  using element = X;
  static std::vector<X>& elements(std::vector<X>& value) { return value; }
  static std::span<const X> view(const std::vector<X>& value) { return value; }
  static std::uint64_t number(const std::vector<X>&) { return 0; }
  static void set_number(std::vector<X>&, std::uint64_t) {}
  static constexpr bool may_have_place = false;
};

// To the task that waits for it, or to where one will ask.
template <class T, class Called>
void collective_arrived(pe_id from, const collective_head& head, T value) {
  auto& box = *current_pe->collectives;
  const collective_box::described arrived{head, from, &typeid(T), &typeid(Called)};
  if (auto* w = box.find_waiter(arrived)) {
    static_cast<collective_receive<T, Called>*>(w)->set(std::move(value));
  } else {
    box.add_packet(new collective_box::value_packet<T>(arrived, std::move(value)));
  }
}

template <class T, class Called = T>
struct collective_packet {
  using layout = wire::layout<collective_head, T>;
  static constexpr message_kind kind = message_kind::collective;
  static constexpr std::size_t words = 1;
  static void call(const message::delivery& d, collective_head head, T value) {
    collective_arrived<T, Called>(d.from, head, std::move(value));
  }
};

template <class T, class Called = T>
struct collective_bulk {
  using layout = wire::layout<collective_head, std::uint64_t>;
  static constexpr message_kind kind = message_kind::collective;
  static constexpr std::size_t words = 1;
  using element = typename as_bulk<T>::element;

  struct landing final : collective_box::landing {
    explicit landing(T v) : collective_box::landing(bytes_of(v)), value(std::move(v)) {}
    landing(T v, const element_place& p) : collective_box::landing(p.begin, p.owner), value(std::move(v)) {}
    T value;
  };
  static std::byte* bytes_of(T& value) { return reinterpret_cast<std::byte*>(as_bulk<T>::elements(value).data()); }

  static std::byte* place(const message::delivery& d, const collective_head& head, std::uint64_t number) {
    require(d.bulk_bytes % sizeof(element) == 0, "PE {} sends {} bytes of a collective's elements of {} each", d.from,
            d.bulk_bytes, sizeof(element));
    T value;
    as_bulk<T>::set_number(value, number);
    if constexpr (as_bulk<T>::may_have_place) {
      auto& box = *current_pe->collectives;
      if (const auto* given = box.place_for({head, d.from, &typeid(T), &typeid(Called)}, d.bulk_bytes)) {
        as_bulk<T>::set_in_place(value);
        std::byte* const to = given->begin;
        box.add_landing(std::make_unique<landing>(std::move(value), *given));
        return to;
      }
    }
    as_bulk<T>::elements(value).resize(d.bulk_bytes / sizeof(element));
    auto made = std::make_unique<landing>(std::move(value));
    std::byte* const to = bytes_of(made->value);
    current_pe->collectives->add_landing(std::move(made));
    return to;
  }
  static void call(const message::delivery& d, const collective_head& head, std::uint64_t) {
    const auto landed = current_pe->collectives->take_landing(d.bulk);
    collective_arrived<T, Called>(d.from, head, std::move(static_cast<landing&>(*landed).value));
  }
};

// A PE waits for it, so it leaves at once: its sender may find its own packets there already, and compute for long
// before it waits for anything.
inline void send_now() { message::this_endpoint->flush(message::flush_reason::idle); }

// The elements of a T, and its number.
template <class T, class Called>
void collective_send_elements(const collective_call& call, collective_step step, pe_id to_rank, std::uint64_t number,
                              transport::bulk_source elements) {
  remote::send_bulk<collective_bulk<T, Called>>(call.pe(to_rank), elements, call.head(step), number);
  send_now();
}

// So many bytes are better sent so.
inline bool goes_as_bulk(std::size_t bytes) {
  return !message::this_endpoint->fits(bytes) && !current_pe->transport().each_packet_alone();
}

inline transport::bulk_source copied(std::span<const std::byte> bytes) {
  return message::this_endpoint->keep({bytes.begin(), bytes.end()});
}

// Elements that leave as a bulk leave from where `source_of` says.
template <class T, class Called = T, class SourceOf = decltype(&copied)>
void collective_send(const collective_call& call, collective_step step, pe_id to_rank, const T& value,
                     SourceOf source_of = copied) {
  if constexpr (as_bulk<T>::known) {
    const auto bytes = std::as_bytes(as_bulk<T>::view(value));
    if (goes_as_bulk(bytes.size())) {
      return collective_send_elements<T, Called>(call, step, to_rank, as_bulk<T>::number(value), source_of(bytes));
    }
  }
  remote::send<collective_packet<T, Called>>(call.pe(to_rank), call.head(step), value);
  send_now();
}

}  // namespace tsubu::remote
