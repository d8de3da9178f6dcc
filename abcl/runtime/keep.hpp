// Whether the names of a program keep their objects alive: one choice for a whole program, ABCL_COLLECTS, which
// `abcl build --collect` makes.
//
// Without it a name is 12 bytes that keep nothing, and an object lives until it ends itself. With it classes are
// collected (docs/collection.md): each name counts at its object, wherever it is, and those that the state of an object
// shows are followed.
#pragma once

#include "tsubu/object/object.hpp"

#ifdef ABCL_COLLECTS
#include "abcl/runtime/forced_collection.hpp"
#include "tsubu/collection/collected_object.hpp"
#endif

namespace abcl {

#ifdef ABCL_COLLECTS

using hold = tsubu::collection::hold;
template <class C>
using object_base = tsubu::collected_object<C>;
// The archive that is shown the names in an object's state.
using edges = tsubu::objects::edges;
template <class Archive>
inline constexpr bool is_shown_names = std::is_same_v<Archive, edges>;

#else

// Holds nothing.
struct hold {
  void touch() const {}
};
template <class C>
using object_base = tsubu::object<C>;
template <class Archive>
inline constexpr bool is_shown_names = false;
inline void count_for_collection() {}

#endif

}  // namespace abcl
