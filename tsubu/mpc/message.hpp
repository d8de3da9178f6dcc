// MTTL's messages: a control part, and data.
//
//   struct welcome {                                             // a type names the message
//     struct control { std::uint32_t whom; };
//     static void arrived(pe_id from, const control&, std::span<const std::byte> data);
//   };
//   post<welcome>(node, control, data);
//
// Up to split_limit_bytes the data travel in the packet of the control part: one send. More are split
// off and travel as a bulk, without a copy on the way: a send and a non-blocking send. A message whose
// data have their place says so by
//     static std::byte* place(pe_id from, const control&, std::size_t bytes);   // checks the control part
//     static void landed(pe_id from, const control&);                           // the data are in place
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "tsubu/message/handler.hpp"
#include "tsubu/wire/packet.hpp"

namespace tsubu::mpc {

inline constexpr std::size_t split_limit_bytes = 8 * 1024;

// One message part that has come; a message that leaves, whether or not it is split. See counters.hpp.
void count_received();
void count_sent(std::size_t header_bytes, std::size_t payload_bytes, bool split);

// A packet of its own length: the control part's bytes, then the data, which are not copied on arrival.
template <class Control>
struct packet_layout {
  static_assert(std::is_trivially_copyable_v<Control>);
  static constexpr bool fixed = false;
  static constexpr std::size_t packet_bytes = 0;
  static constexpr std::size_t values = 2;
  // What a message carries beside its data: the length and the control part.
  static constexpr std::size_t header_bytes = sizeof(std::uint32_t) + sizeof(Control);

  static void write_variable(std::vector<std::byte>& to, const Control& control, std::span<const std::byte> data) {
    const std::size_t begin = to.size();
    to.resize(begin + sizeof control + data.size());
    wire::store(to.data() + begin, control);
    if (!data.empty()) std::memcpy(to.data() + begin + sizeof control, data.data(), data.size());
  }
  template <class F>
  static void read_variable(const std::byte* begin, const std::byte* end, F&& f) {
    if (static_cast<std::size_t>(end - begin) < sizeof(Control))
      throw wire::bad_bytes("a message without its control part");
    f(wire::load<Control>(begin), std::span<const std::byte>(begin + sizeof(Control), end));
  }
};

template <class M>
struct whole_message {
  using layout = packet_layout<typename M::control>;
  static void call(const message::delivery& d, const typename M::control& control, std::span<const std::byte> data) {
    count_received();
    M::arrived(d.from, control, data);
  }
};

template <class M>
concept lands = requires { &M::place; };

template <class M>
struct split_message {
  using control = typename M::control;
  using layout = wire::layout<control>;
  static std::byte* place(const message::delivery& d, const control& c) {
    count_received();  // the control part
    if constexpr (lands<M>) {
      return M::place(d.from, c, d.bulk_bytes);
    } else {
      return new std::byte[d.bulk_bytes];
    }
  }
  static void call(const message::delivery& d, const control& c) {
    count_received();  // the body
    if constexpr (lands<M>) {
      M::landed(d.from, c);
    } else {
      const std::unique_ptr<std::byte[]> body(d.bulk);
      M::arrived(d.from, c, {d.bulk, d.bulk_bytes});
    }
  }
};

void check_node(int node);

// Sends a message. Local; never blocks. If it is split, `data` must stay until done(argument) is called; returns
// whether it is.
template <class M>
bool post(int to, const typename M::control& control, std::span<const std::byte> data, void (*done)(void*),
          void* argument) {
  check_node(to);
  const bool split = data.size() > split_limit_bytes;
  count_sent(split ? sizeof control : packet_layout<typename M::control>::header_bytes, data.size(), split);
  if (split) {
    message::this_endpoint->send_bulk<split_message<M>>(to, {data, done, argument}, control);
  } else {
    message::this_endpoint->send<whole_message<M>>(to, control, data);
  }
  return split;
}

// The same for data that nobody else needs.
template <class M>
void post(int to, const typename M::control& control, std::vector<std::byte> data) {
  auto* kept = new std::vector<std::byte>(std::move(data));
  auto drop = [](void* bytes) { delete static_cast<std::vector<std::byte>*>(bytes); };
  if (!post<M>(to, control, *kept, drop, kept)) drop(kept);
}

// Values as the data of a message, and back. unpack() ends the job if they are not what T... says.
template <class... T>
std::vector<std::byte> pack(const T&... values) {
  using layout = wire::layout<T...>;
  std::vector<std::byte> data;
  if constexpr (layout::fixed) {
    data.resize(layout::packet_bytes);
    layout::write(data.data(), values...);
  } else {
    layout::write_variable(data, values...);
  }
  return data;
}

[[noreturn]] void fail_unpack(pe_id from, const char* what);

template <class... T>
std::tuple<T...> unpack(pe_id from, std::span<const std::byte> data) {
  using layout = wire::layout<T...>;
  auto together = [](auto&&... values) { return std::tuple<T...>(std::move(values)...); };
  if constexpr (layout::fixed) {
    if (data.size() != layout::packet_bytes) fail_unpack(from, "its values have another size");
    return layout::read(data.data(), together);
  } else {
    try {
      return layout::read_variable(data.data(), data.data() + data.size(), together);
    } catch (const std::exception& e) {
      fail_unpack(from, e.what());
    }
  }
}

}  // namespace tsubu::mpc
