// How an all_reduce, and a barrier, go about it: on one member, by doubling, or in halves.
#pragma once

#include <deque>
#include <source_location>
#include <utility>

#include "tsubu/remote/collectives/collective_steps.hpp"
#include "tsubu/remote/collectives/long_vectors.hpp"

namespace tsubu::remote {

// Recursive doubling; the members beyond the largest power of two lend their value to a partner before and
// get the result after. Partners combine in the order of their ranks, so all get the same bits. Long vectors are
// reduced in halves.
template <class T, class Op>
task<T> all_reduce_as(collective_kind kind, team members, T value, Op op, std::source_location where) {
  const collective_call call(kind, members, where, 0, operation_number(op));
  const pe_id me = call.rank(), p = call.size();
  const round_members doubling(p, !in_any_order<Op, T>);
  if constexpr (is_short<T>) {
    if (meets_on_one(p)) {
      if (kind == collective_kind::all_reduce) count_algorithm(collective_algorithm::all_reduce_on_one);
      std::deque<T> all = co_await gather_on_one<std::deque<T>, T>(call, value);  // of bools, too
      if (me == 0) value = combine_in_pairs(std::move(all), op, doubling);
      co_return co_await spread_from_one<T>(call, std::move(value));
    }
  }
  const pe_id other_half = doubling.partner(me);
  if (doubling.lends(me)) {
    collective_send<T>(call, fold_in, other_half, value);
    collective_receive<T> result(call, fold_out, other_half);
    co_return co_await result;
  }
  if (other_half != no_pe) {
    collective_receive<T> lent(call, fold_in, other_half);
    value = combine(op, std::move(value), co_await lent);
  }
  if constexpr (is_vector_with_parts<T>) {
    if (is_reduced_in_halves(value, p)) {
      count_algorithm(collective_algorithm::all_reduce_in_halves);
      value = co_await reduce_in_halves(call, doubling, std::move(value), op);
      if (other_half != no_pe) collective_send<T>(call, fold_out, other_half, value);
      co_return value;
    }
  }
  if (kind == collective_kind::all_reduce) count_algorithm(collective_algorithm::all_reduce_by_doubling);
  collective_step round = 0;
  const pe_id number = doubling.number(me);
  for (pe_id distance = 1; distance < doubling.count(); distance *= 2, ++round) {
    const pe_id partner = number ^ distance;
    collective_send<T>(call, round, doubling.rank(partner), value);
    collective_receive<T> other(call, round, doubling.rank(partner));
    T theirs = co_await other;
    value = number < partner ? combine(op, std::move(value), std::move(theirs))
                             : combine(op, std::move(theirs), std::move(value));
  }
  if (other_half != no_pe) collective_send<T>(call, fold_out, other_half, value);
  co_return value;
}

}  // namespace tsubu::remote
