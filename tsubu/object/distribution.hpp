// Which PE has element i of an array of n, and which number the element has there: every PE works it out by itself, so
// an array is a name and not a table.
//
// A distribution D has home(i, n, pes), number(i, n, pes), which is below numbers(n, pes) and differs for elements of
// one PE, and for_each_on(pe, n, pes, f), which calls f(i) for those of a PE in the order of i. It says in_sequence =
// true if all elements of a PE come before those of the next.
#pragma once

#include <cstddef>

#include "tsubu/base/blocks.hpp"
#include "tsubu/base/types.hpp"

namespace tsubu {

// Element i of n on PE i / (n / P), about: parts in sequence, of equal size but for one.
// Local; does not block; checks nothing.
struct by_block {
  static constexpr bool in_sequence = true;
  // The PE of element i of n; its number there; a bound of these numbers; f(i) for each i of a PE.
  pe_id home(std::size_t i, std::size_t n, pe_id pes) const {
    return static_cast<pe_id>(detail::block_owner(n, static_cast<std::size_t>(pes), i));
  }
  std::size_t number(std::size_t i, std::size_t n, pe_id pes) const { return i - first(home(i, n, pes), n, pes); }
  std::size_t numbers(std::size_t n, pe_id pes) const {
    return (n + static_cast<std::size_t>(pes) - 1) / static_cast<std::size_t>(pes);
  }
  template <class F>
  void for_each_on(pe_id pe, std::size_t n, pe_id pes, F f) const {
    for (std::size_t i = first(pe, n, pes); i < first(pe + 1, n, pes); ++i) f(i);
  }

 private:
  static std::size_t first(pe_id pe, std::size_t n, pe_id pes) {
    return detail::block_begin(n, static_cast<std::size_t>(pes), static_cast<std::size_t>(pe));
  }
};

// Element i on PE i mod P.
// Local; does not block; checks nothing.
struct by_cycle {
  pe_id home(std::size_t i, std::size_t, pe_id pes) const {
    return static_cast<pe_id>(i % static_cast<std::size_t>(pes));
  }
  std::size_t number(std::size_t i, std::size_t, pe_id pes) const { return i / static_cast<std::size_t>(pes); }
  std::size_t numbers(std::size_t n, pe_id pes) const {
    return (n + static_cast<std::size_t>(pes) - 1) / static_cast<std::size_t>(pes);
  }
  template <class F>
  void for_each_on(pe_id pe, std::size_t n, pe_id pes, F f) const {
    for (std::size_t i = static_cast<std::size_t>(pe); i < n; i += static_cast<std::size_t>(pes)) f(i);
  }
};

// Element i on PE Map(i, n), a function of the program's own. Costs each PE 16 bytes for each element, wherever that
// is.
// Local; does not block; checks nothing.
template <pe_id (*Map)(std::size_t i, std::size_t n)>
struct by_map {
  pe_id home(std::size_t i, std::size_t n, pe_id) const { return Map(i, n); }
  std::size_t number(std::size_t i, std::size_t, pe_id) const { return i; }
  std::size_t numbers(std::size_t n, pe_id) const { return n; }
  template <class F>
  void for_each_on(pe_id pe, std::size_t n, pe_id, F f) const {
    for (std::size_t i = 0; i < n; ++i) {
      if (Map(i, n) == pe) f(i);
    }
  }
};

}  // namespace tsubu
