// Who takes part in the rounds of recursive doubling, which are for as many members as a power of two.
//
// Each of the others lends its value to one of them before the rounds, and gets the result after them. If values are to
// be combined in the order of the ranks, the first members lend to their neighbours, each odd one to the one before it;
// else the last ones lend to the first, so that the members of a node are partners in the first rounds.
#pragma once

#include "tsubu/base/types.hpp"

namespace tsubu::remote {

// The largest power of two that is at most n.
constexpr pe_id power_below(pe_id n) {
  pe_id p = 1;
  while (2 * p <= n) p *= 2;
  return p;
}

class round_members {
 public:
  constexpr round_members(pe_id size, bool in_order)
      : count_(power_below(size)), lenders_(size - count_), in_order_(in_order) {}

  // How many there are.
  constexpr pe_id count() const { return count_; }
  // Whether that rank lends its value, and is none of them.
  constexpr bool lends(pe_id rank) const { return in_order_ ? rank < 2 * lenders_ && rank % 2 == 1 : rank >= count_; }
  // To whom that one lends, or who lends to that one; no_pe if nobody does. What is lent comes behind the own value.
  constexpr pe_id partner(pe_id rank) const {
    if (in_order_) return rank < 2 * lenders_ ? rank ^ 1 : no_pe;
    if (rank >= count_) return rank - count_;
    return rank < lenders_ ? rank + count_ : no_pe;
  }
  // The number of one of them among them, which are in the order of their ranks; and back.
  constexpr pe_id number(pe_id rank) const {
    if (!in_order_) return rank;
    return rank < 2 * lenders_ ? rank / 2 : rank - lenders_;
  }
  constexpr pe_id rank(pe_id number) const {
    if (!in_order_) return number;
    return number < lenders_ ? 2 * number : number + lenders_;
  }

 private:
  pe_id count_;
  pe_id lenders_;
  bool in_order_;
};

}  // namespace tsubu::remote
