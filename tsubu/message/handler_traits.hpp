// What a handler is told of a packet, and what its type says of it, with what holds where it says nothing; handler.hpp
// tells what a handler is.
#pragma once

#include <cstddef>

#include "tsubu/base/simulated_machine.hpp"
#include "tsubu/base/types.hpp"

namespace tsubu::message {

// What a handler may ask about the packet it was called for.
struct delivery {
  pe_id from;       // the PE that sent it
  std::byte* bulk;  // the bulk that came with it, or null
  std::size_t bulk_bytes;
};

// A base of the handlers of the runtime's own control.
struct uncounted {
  static constexpr bool counted = false;
};

template <class H>
concept places_bulks = requires { &H::place; };

// `static constexpr bool seldom = true`: its packets are few, or dear: no loop over them is compiled for it
// (one_by_one.hpp), and no send of it stands where it is called.
template <class H>
inline constexpr bool seldom = requires { requires H::seldom; };

// Takes a run's bytes apart by itself.
template <class H>
concept wraps_another = requires { &H::execute; };

// `static std::size_t execute_one_by_one(const wire::run&)`: does for a run of fixed packets what the function of that
// name in one_by_one.hpp does, by code that several handlers share.
template <class H>
concept shares_one_by_one = requires { &H::execute_one_by_one; };

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

}  // namespace tsubu::message
