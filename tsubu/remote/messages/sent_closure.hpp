// A lambda as an argument of a message: its captures.
#pragma once

#include <array>
#include <cstddef>

#include "tsubu/wire/plain.hpp"

namespace tsubu::remote {

// A lambda on its way: its bytes. g++ 12 takes one that stands in a coroutine for not trivially copyable any more, once
// a std::tuple of it has been named.
template <class L>
struct sent_closure {
  explicit sent_closure(const L& closure) { wire::store(bytes.data(), closure); }
  sent_closure() = default;
  L closure() const { return wire::load<L>(bytes.data()); }
  std::array<std::byte, sizeof(L)> bytes;
};
template <class L>
  requires wire::weightless<L>
struct sent_closure<L> {
  explicit sent_closure(const L&) {}
  sent_closure() = default;
  L closure() const { return L(); }
};

}  // namespace tsubu::remote
