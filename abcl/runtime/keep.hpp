// Whether the names of a program keep their objects alive: one choice for a whole program, ABCL_COLLECTS, which
// `abcl build --collect` makes.
//
// Without it a name is 12 bytes that keep nothing, and an object lives until it ends itself. With it classes are
// collected (docs/collection.md): each name counts at its object, wherever it is, and those that the state of an object
// shows are followed.
#pragma once

#include "tsubu/object/object.hpp"

#ifdef ABCL_COLLECTS
#include <type_traits>

#include "tsubu/collection/collected_object.hpp"
#include "tsubu/remote/pe_local.hpp"
#endif

namespace abcl {

#ifdef ABCL_COLLECTS

using hold = tsubu::collection::hold;
inline constexpr bool collects = true;
template <class C, bool collected>
using object_base = std::conditional_t<collected, tsubu::collected_object<C>, tsubu::object<C>>;
// The archive that is shown the names in an object's state.
using edges = tsubu::objects::edges;
template <class Archive>
inline constexpr bool is_shown_names = std::is_same_v<Archive, edges>;

// A PE collects between its tasks. One that finds each answer on the spot would never come to that: now and then it
// has to turn to what else there is, and while it marks always, so that garbage is not made faster than it is found.
inline tsubu::pe_local<unsigned> answers_on_the_spot;
inline bool is_time_to_turn() {
  constexpr unsigned between_turns = 16;
  return ++*answers_on_the_spot % between_turns == 0 || tsubu::collection::names_held->marking();
}

#else

// Holds nothing.
struct hold {
  void touch() const {}
};
inline constexpr bool collects = false;
template <class C, bool>
using object_base = tsubu::object<C>;
template <class Archive>
inline constexpr bool is_shown_names = false;
inline bool is_time_to_turn() { return false; }

#endif

}  // namespace abcl
