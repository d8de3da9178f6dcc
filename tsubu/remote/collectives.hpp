// Collectives: every PE calls them, in the same order; each returns a task to await.
//
// Cost, in packets per PE and rounds: barrier, all_reduce and scan log2 P (two more when P is not a power
// of two, but for scan); broadcast and reduce log2 P rounds of a binomial tree; gather, all_gather and
// all_to_all go straight to their destination. Where PEs share cores, what is short meets on PE 0: two rounds of
// P - 1 packets (meets_on_one). An all_reduce gives the same bits on every PE, and either way. PEs that call
// different collectives at the same point, or with other types, operations or roots, are found out, and end the job
// with both lines. `where` is that of the call, for reports.
#pragma once

#include <cstdint>
#include <deque>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/base/tree.hpp"
#include "tsubu/remote/collective_box.hpp"
#include "tsubu/remote/reduce.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {
namespace remote {

// Steps of a collective, in its key: rounds 0.., and these.
inline constexpr collective_key fold_in = 0x4000;
inline constexpr collective_key fold_out = 0x4001;

// The largest power of two that is at most n.
inline pe_id power_below(pe_id n) {
  pe_id p = 1;
  while (2 * p <= n) p *= 2;
  return p;
}

struct nothing {};

// Whether barriers, reductions and gathered values meet on PE 0 and go back from there. A PE that waits for a core has
// its turn when all before it had theirs, so rounds and packets cost more there than that PE 0 has most of the work.
inline bool meets_on_one() { return current_pe->shares_cores() && 4 < pe_count() && pe_count() <= 64; }

// Values that are no trouble to keep for all PEs on one.
template <class T>
inline constexpr bool is_short = std::is_trivially_copyable_v<T> && sizeof(T) <= 256;

// `value` of each PE, by PE, on PE 0; elsewhere empty. Values: a sequence of T.
template <class Values, class T>
task<Values> gather_on_one(collective_call call, T value) {
  Values all;
  if (this_pe() != 0) {
    collective_send<T>(call, fold_in, 0, value);
    co_return all;
  }
  all.push_back(std::move(value));
  for (pe_id from = 1; from < pe_count(); ++from) {
    collective_receive<T> arriving(call, fold_in, from);
    all.push_back(co_await arriving);
  }
  co_return all;
}

// `value` of PE 0.
template <class T>
task<T> spread_from_one(collective_call call, T value) {
  if (this_pe() != 0) {
    collective_receive<T> arriving(call, fold_out, 0);
    co_return co_await arriving;
  }
  for (pe_id to = 1; to < pe_count(); ++to) collective_send<T>(call, fold_out, to, value);
  co_return value;
}

template <class T, class Op>
T combine(const Op& op, T a, T b) {
  return op(std::move(a), std::move(b));
}
// Vectors of one length are combined element by element.
template <class T, class Op>
std::vector<T> combine(const Op& op, std::vector<T> a, std::vector<T> b) {
  require(a.size() == b.size(), "a reduction over vectors of {} and {} elements", a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = op(a[i], b[i]);
  return a;
}

// As recursive doubling combines them.
template <class T, class Op>
T combine_in_pairs(std::deque<T> all, const Op& op) {
  const std::size_t whole = static_cast<std::size_t>(power_below(static_cast<pe_id>(all.size())));
  const auto take_in = [&](std::size_t i, std::size_t other) {
    all[i] = combine(op, std::move(all[i]), std::move(all[other]));
  };
  for (std::size_t i = whole; i < all.size(); ++i) take_in(i - whole, i);
  for (std::size_t distance = 1; distance < whole; distance *= 2) {
    for (std::size_t i = 0; i < whole; i += 2 * distance) take_in(i, i + distance);
  }
  return std::move(all[0]);
}

// Recursive doubling; the PEs beyond the largest power of two lend their value to a partner before and
// get the result after. Partners combine in the order of their numbers, so all get the same bits.
template <class T, class Op>
task<T> all_reduce_as(collective_kind kind, T value, Op op, std::source_location where) {
  const pe_id me = this_pe(), p = pe_count(), whole = power_below(p);
  const collective_call call(kind, where, 0, operation_number(op));
  if constexpr (is_short<T>) {
    if (meets_on_one()) {
      std::deque<T> all = co_await gather_on_one<std::deque<T>, T>(call, value);  // of bools, too
      if (me == 0) value = combine_in_pairs(std::move(all), op);
      co_return co_await spread_from_one<T>(call, std::move(value));
    }
  }
  if (me >= whole) {
    collective_send<T>(call, fold_in, me - whole, value);
    collective_receive<T> result(call, fold_out, me - whole);
    co_return co_await result;
  }
  if (me + whole < p) {
    collective_receive<T> lent(call, fold_in, me + whole);
    value = combine(op, std::move(value), co_await lent);
  }
  collective_key round = 0;
  for (pe_id distance = 1; distance < whole; distance *= 2, ++round) {
    const pe_id partner = me ^ distance;
    collective_send<T>(call, round, partner, value);
    collective_receive<T> other(call, round, partner);
    T theirs = co_await other;
    value = me < partner ? combine(op, std::move(value), std::move(theirs))
                         : combine(op, std::move(theirs), std::move(value));
  }
  if (me + whole < p) collective_send<T>(call, fold_out, me + whole, value);
  co_return value;
}

// What PE 0 sends to each of the others, at most.
inline constexpr std::size_t most_bytes_from_one = std::size_t{64} << 10;

// Bytes of values whose size is known to who has them; else more than any bound.
template <class T>
std::size_t bytes_of_all(const std::vector<T>&) {
  return is_short<T> ? 0 : ~std::size_t{0};
}
template <class T>
std::size_t bytes_of_all(const std::vector<std::vector<T>>& all) {
  std::size_t elements = 0;
  for (const std::vector<T>& one : all) elements += one.size();
  return std::is_trivially_copyable_v<T> ? elements * sizeof(T) : ~std::size_t{0};
}
template <class T>
inline constexpr bool may_meet_on_one = is_short<T>;
template <class T>
inline constexpr bool may_meet_on_one<std::vector<T>> = std::is_trivially_copyable_v<T>;

// By PE 0; empty if that would be too much for one PE.
template <class T>
task<std::vector<T>> all_gather_on_one(T value, std::source_location where) {
  const collective_call call(collective_kind::all_gather, where);
  std::vector<T> all = co_await gather_on_one<std::vector<T>, T>(call, std::move(value));
  if (bytes_of_all(all) > most_bytes_from_one) all.clear();
  co_return co_await spread_from_one<std::vector<T>>(call, std::move(all));
}

}  // namespace remote

// Returns when every PE has called it. Says nothing of messages in flight: see quiescence().
// Collective; blocks until every PE has called it; PEs that differ in what they call end the job.
task<void> barrier(std::source_location where = std::source_location::current());

// `value` of PE `root`, on every PE.
// Collective; blocks until the value is here; PEs that differ in what they call end the job.
template <class T>
task<T> broadcast(T value, pe_id root = 0, std::source_location where = std::source_location::current()) {
  const pe_id p = pe_count(), me = (this_pe() - root + p) % p;  // numbered from the root
  const remote::collective_call call(remote::collective_kind::broadcast, where, root);
  if (me != 0) {
    remote::collective_receive<T> arriving(call, 0, (tree_parent(me) + root) % p);
    value = co_await arriving;
  }
  for_each_child(me, p, [&](pe_id child) { remote::collective_send<T>(call, 0, (child + root) % p, value); });
  co_return value;
}

// All values combined by `op` in the order of the PEs from `root` on, on PE `root`; elsewhere what is
// returned is a partial result without meaning.
// Collective; blocks until this PE has done its part; PEs that differ in what they call end the job, and so do
// vectors of other lengths.
template <class T, class Op>
task<T> reduce_to(pe_id root, T value, Op op, std::source_location where = std::source_location::current()) {
  const pe_id p = pe_count(), me = (this_pe() - root + p) % p;
  const remote::collective_call call(remote::collective_kind::reduce, where, root, remote::operation_number(op));
  remote::collective_key round = 0;
  for (pe_id distance = 1; distance < p; distance *= 2, ++round) {
    if ((me & distance) != 0) {
      remote::collective_send<T>(call, round, (me - distance + root) % p, value);
      break;
    }
    if (me + distance < p) {
      remote::collective_receive<T> other(call, round, (me + distance + root) % p);
      value = remote::combine(op, std::move(value), co_await other);
    }
  }
  co_return value;
}

// All values combined by `op`, on every PE, the same bits on each. Vectors are combined element by element.
// Collective; blocks until the result is here; PEs that differ in what they call end the job, and so do vectors of
// other lengths.
template <class T, class Op>
task<T> all_reduce(T value, Op op, std::source_location where = std::source_location::current()) {
  return remote::all_reduce_as<T, Op>(remote::collective_kind::all_reduce, std::move(value), std::move(op), where);
}

// The values of PEs 0 .. this one, its own included, combined by `op` in their order.
// Collective; blocks until the result is here; PEs that differ in what they call end the job, and so do vectors of
// other lengths.
template <class T, class Op>
task<T> scan(T value, Op op, std::source_location where = std::source_location::current()) {
  const pe_id me = this_pe(), p = pe_count();
  const remote::collective_call call(remote::collective_kind::scan, where, 0, remote::operation_number(op));
  remote::collective_key round = 0;
  for (pe_id distance = 1; distance < p; distance *= 2, ++round) {
    if (me + distance < p) remote::collective_send<T>(call, round, me + distance, value);
    if (me >= distance) {
      remote::collective_receive<T> lower(call, round, me - distance);
      value = remote::combine(op, co_await lower, std::move(value));
    }
  }
  co_return value;
}

// One value of each PE, by PE, on PE `root`; empty elsewhere.
// Collective; blocks until all have arrived on the root, elsewhere not at all; PEs that differ in what they call
// end the job.
template <class T>
task<std::vector<T>> gather(T value, pe_id root = 0, std::source_location where = std::source_location::current()) {
  const pe_id me = this_pe();
  const remote::collective_call call(remote::collective_kind::gather, where, root);
  std::vector<T> all;
  if (me != root) {
    remote::collective_send<T>(call, 0, root, value);
    co_return all;
  }
  for (pe_id from = 0; from < pe_count(); ++from) {
    if (from == me) {
      all.push_back(std::move(value));
      continue;
    }
    remote::collective_receive<T> arriving(call, 0, from);
    all.push_back(co_await arriving);
  }
  co_return all;
}

// One value for each PE goes there; one from each comes back, by PE. Values may be vectors of any length.
// Collective; blocks until all have arrived; PEs that differ in what they call end the job, and so does another
// number of values than of PEs.
template <class T>
task<std::vector<T>> all_to_all(std::vector<T> values, std::source_location where = std::source_location::current()) {
  const pe_id me = this_pe(), p = pe_count();
  require(values.size() == static_cast<std::size_t>(p), "all_to_all needs {} values, one for each PE, and got {}", p,
          values.size());
  const remote::collective_call call(remote::collective_kind::all_to_all, where);
  // Each PE starts with the next one, so that they do not all send to the same.
  for (pe_id i = 1; i < p; ++i) {
    const pe_id to = (me + i) % p;
    remote::collective_send<T>(call, 0, to, values[static_cast<std::size_t>(to)]);
  }
  for (pe_id i = 1; i < p; ++i) {
    const pe_id from = (me + p - i) % p;
    remote::collective_receive<T> arriving(call, 0, from);
    values[static_cast<std::size_t>(from)] = co_await arriving;
  }
  co_return values;
}

// One value of each PE, by PE, on every PE.
// Collective; blocks until all have arrived; PEs that differ in what they call end the job.
template <class T>
task<std::vector<T>> all_gather(T value, std::source_location where = std::source_location::current()) {
  if constexpr (remote::may_meet_on_one<T>) {
    if (remote::meets_on_one()) {
      std::vector<T> all = co_await remote::all_gather_on_one<T>(value, where);
      if (!all.empty()) co_return all;
    }
  }
  co_return co_await all_to_all(std::vector<T>(static_cast<std::size_t>(pe_count()), value), where);
}

}  // namespace tsubu
