// The last element of a message that wants a reply, as it travels: where the reply goes, and the place in the program
// that has sent the message, for an error where nobody is there to reply.
#pragma once

#include <cstdint>

#include "abcl/runtime/name.hpp"
#include "abcl/runtime/site.hpp"

namespace abcl {

struct destination : name {
  destination() = default;
  destination(const name& to) : name(to) {}  // NOLINT(google-explicit-constructor): what C++ sends says no place
  destination(const name& to, const site& asked_at) : name(to), by(number_of(asked_at)) {}

#ifdef ABCL_COLLECTS
  template <class A>
  void save(A& out) const {
    out(static_cast<const name&>(*this), by);
  }
  template <class A>
  void load(A& in) {
    in(static_cast<name&>(*this), by);
  }
#endif

  std::uint32_t by = no_site;
};
#ifndef ABCL_COLLECTS
static_assert(sizeof(destination) == 16 && tsubu::wire::plain<destination>);
#endif

}  // namespace abcl
