// One message's arguments as bytes: a packet.
//
// layout<long, double> lays its values out back to back, unaligned, when all are of a fixed size: every packet of a
// handler then has the same size, and a run of them needs no further header. If any value needs cereal, each packet is
// a 4-byte length and the values' bytes.
#pragma once

#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

#include "tsubu/wire/value.hpp"

namespace tsubu::wire {

template <class... T>
struct layout {
  static constexpr bool fixed = fixed_size_of_all<T...>::known;
  static constexpr std::size_t values = sizeof...(T);
  static constexpr std::size_t sum_bytes = fixed_size_of_all<T...>::bytes;
  // The bytes of one packet; 0 when packets tell their own length. A packet is at least one byte, so that a
  // run's length tells its count.
  static constexpr std::size_t packet_bytes = fixed ? (sum_bytes == 0 ? 1 : sum_bytes) : 0;

  // Fixed layouts. `to` has room for packet_bytes.
  static void write(std::byte* to, const T&... given) {
    if constexpr (sum_bytes == 0) *to = std::byte{0};
    [[maybe_unused]] auto put_one = [&to]<class V>(const V& value) {
      store(to, value);
      to += fixed_bytes<V>;
    };
    (put_one(given), ...);
  }

  // Calls f(values...).
  template <class F>
  static decltype(auto) read(const std::byte* from, F&& f) {
    return read_indexed(from, std::forward<F>(f), std::index_sequence_for<T...>{});
  }

  // Layouts that are not fixed: appends the values' bytes, without the length.
  static void write_variable(std::vector<std::byte>& to, const T&... given) {
    writer out(to);
    (put(out, given), ...);
  }

  // Calls f(values...) with the values between begin and end. Throws bad_bytes.
  template <class F>
  static decltype(auto) read_variable(const std::byte* begin, const std::byte* end, F&& f) {
    reader in(begin, end);
    std::tuple<T...> taken{take<T>(in)...};
    if (in.left() != 0) throw bad_bytes(std::to_string(in.left()) + " bytes are left over");
    return std::apply(std::forward<F>(f), std::move(taken));
  }

 private:
  template <class F, std::size_t... I>
  static decltype(auto) read_indexed([[maybe_unused]] const std::byte* from, F&& f, std::index_sequence<I...>) {
    return std::forward<F>(f)(load<T>(from + element_offset<std::tuple<T...>, I>())...);
  }
};

}  // namespace tsubu::wire
