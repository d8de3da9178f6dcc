// Collectives: every PE calls them, in the same order; each returns a task to await.
//
// Cost, in packets per PE and rounds: barrier, all_reduce and scan log2 P (two more when P is not a power
// of two, but for scan); broadcast and reduce log2 P rounds of a binomial tree; gather, all_gather and
// all_to_all go straight to their destination. An all_reduce gives the same bits on every PE.
// PEs that call different collectives at the same point are found out, and end the job. `where` is for reports of who
// waits for what.
#pragma once

#include <cstdint>
#include <source_location>
#include <span>
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

// Recursive doubling; the PEs beyond the largest power of two lend their value to a partner before and
// get the result after. Partners combine in the order of their numbers, so all get the same bits.
template <class T, class Op>
task<T> all_reduce_named(T value, Op op, const char* name, std::source_location where) {
  const pe_id me = this_pe(), p = pe_count(), whole = power_below(p);
  const collective_key call = current_pe->collectives->begin();
  if (me >= whole) {
    collective_send<T>(me - whole, call + fold_in, value);
    collective_receive<T> result(call + fold_out, me - whole, name, where);
    co_return co_await result;
  }
  if (me + whole < p) {
    collective_receive<T> lent(call + fold_in, me + whole, name, where);
    value = combine(op, std::move(value), co_await lent);
  }
  collective_key round = 0;
  for (pe_id distance = 1; distance < whole; distance *= 2, ++round) {
    const pe_id partner = me ^ distance;
    collective_send<T>(partner, call + round, value);
    collective_receive<T> other(call + round, partner, name, where);
    T theirs = co_await other;
    value = me < partner ? combine(op, std::move(value), std::move(theirs))
                         : combine(op, std::move(theirs), std::move(value));
  }
  if (me + whole < p) collective_send<T>(me + whole, call + fold_out, value);
  co_return value;
}

}  // namespace remote

// Returns when every PE has called it. Says nothing of messages in flight: see quiescence().
task<void> barrier(std::source_location where = std::source_location::current());

// `value` of PE `root`, on every PE.
template <class T>
task<T> broadcast(T value, pe_id root = 0, std::source_location where = std::source_location::current()) {
  const pe_id p = pe_count(), me = (this_pe() - root + p) % p;  // numbered from the root
  const auto call = remote::current_pe->collectives->begin();
  if (me != 0) {
    remote::collective_receive<T> arriving(call, (tree_parent(me) + root) % p, "broadcast", where);
    value = co_await arriving;
  }
  for_each_child(me, p, [&](pe_id child) { remote::collective_send<T>((child + root) % p, call, value); });
  co_return value;
}

// All values combined by `op` in the order of the PEs from `root` on, on PE `root`; elsewhere what is
// returned is a partial result without meaning.
template <class T, class Op>
task<T> reduce_to(pe_id root, T value, Op op, std::source_location where = std::source_location::current()) {
  const pe_id p = pe_count(), me = (this_pe() - root + p) % p;
  const auto call = remote::current_pe->collectives->begin();
  for (pe_id distance = 1; distance < p; distance *= 2) {
    if ((me & distance) != 0) {
      remote::collective_send<T>((me - distance + root) % p, call + static_cast<remote::collective_key>(distance),
                                 value);
      break;
    }
    if (me + distance < p) {
      remote::collective_receive<T> other(call + static_cast<remote::collective_key>(distance),
                                          (me + distance + root) % p, "reduce", where);
      value = remote::combine(op, std::move(value), co_await other);
    }
  }
  co_return value;
}

// All values combined by `op`, on every PE, the same bits on each. Vectors are combined element by element.
template <class T, class Op>
task<T> all_reduce(T value, Op op, std::source_location where = std::source_location::current()) {
  return remote::all_reduce_named<T, Op>(std::move(value), std::move(op), "all_reduce", where);
}

// The values of PEs 0 .. this one combined by `op`, in their order.
template <class T, class Op>
task<T> scan(T value, Op op, std::source_location where = std::source_location::current()) {
  const pe_id me = this_pe(), p = pe_count();
  const auto call = remote::current_pe->collectives->begin();
  remote::collective_key round = 0;
  for (pe_id distance = 1; distance < p; distance *= 2, ++round) {
    if (me + distance < p) remote::collective_send<T>(me + distance, call + round, value);
    if (me >= distance) {
      remote::collective_receive<T> lower(call + round, me - distance, "scan", where);
      value = remote::combine(op, co_await lower, std::move(value));
    }
  }
  co_return value;
}

// One value of each PE, by PE, on PE `root`; empty elsewhere.
template <class T>
task<std::vector<T>> gather(T value, pe_id root = 0, std::source_location where = std::source_location::current()) {
  const pe_id me = this_pe();
  const auto call = remote::current_pe->collectives->begin();
  std::vector<T> all;
  if (me != root) {
    remote::collective_send<T>(root, call, value);
    co_return all;
  }
  for (pe_id from = 0; from < pe_count(); ++from) {
    if (from == me) {
      all.push_back(std::move(value));
      continue;
    }
    remote::collective_receive<T> arriving(call, from, "gather", where);
    all.push_back(co_await arriving);
  }
  co_return all;
}

// One value for each PE goes there; one from each comes back, by PE. Values may be vectors of any length.
template <class T>
task<std::vector<T>> all_to_all(std::vector<T> values, std::source_location where = std::source_location::current()) {
  const pe_id me = this_pe(), p = pe_count();
  require(values.size() == static_cast<std::size_t>(p), "all_to_all needs {} values, one for each PE, and got {}", p,
          values.size());
  const auto call = remote::current_pe->collectives->begin();
  // Each PE starts with the next one, so that they do not all send to the same.
  for (pe_id i = 1; i < p; ++i) {
    const pe_id to = (me + i) % p;
    remote::collective_send<T>(to, call, values[static_cast<std::size_t>(to)]);
  }
  for (pe_id i = 1; i < p; ++i) {
    const pe_id from = (me + p - i) % p;
    remote::collective_receive<T> arriving(call, from, "all_to_all", where);
    values[static_cast<std::size_t>(from)] = co_await arriving;
  }
  co_return values;
}

// One value of each PE, by PE, on every PE.
template <class T>
task<std::vector<T>> all_gather(T value, std::source_location where = std::source_location::current()) {
  return all_to_all(std::vector<T>(static_cast<std::size_t>(pe_count()), value), where);
}

}  // namespace tsubu
