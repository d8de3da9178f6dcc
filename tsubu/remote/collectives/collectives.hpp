// Collectives: every member of a team calls them, in the same order; each returns a task to await.
//
//   double sum = co_await all_reduce(x, reduce::plus);        // all PEs of the job
//   double mine = co_await all_reduce(row, x, reduce::plus);  // the members of a team: team.hpp
//
// Without a team, ranks are the numbers of the PEs. Several teams of a PE, in several tasks, may each be in a
// collective at a time; each team counts its own calls.
//
// Cost, in packets per PE and rounds: barrier, all_reduce and scan log2 P (two more when P is not a power
// of two, but for scan); broadcast, reduce and gather log2 P rounds of a binomial tree; all_gather log2 P, all_to_all
// some more, with short values that ride together (docs/remote.md). Long vectors go in parts. Where PEs share cores,
// what is short meets on rank 0 (meets_on_one). An all_reduce gives the same bits on every PE, and any way. PEs that
// call different collectives at the same point, or with other types, operations or roots, are found out, and end the
// job with both lines. `where` is that of the call, for reports.
#pragma once

#include <concepts>
#include <source_location>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/remote/collectives/collective_steps.hpp"
#include "tsubu/remote/collectives/exchange_steps.hpp"
#include "tsubu/remote/collectives/gather_steps.hpp"
#include "tsubu/remote/collectives/long_vectors.hpp"
#include "tsubu/remote/collectives/pairwise_exchange.hpp"
#include "tsubu/remote/collectives/reduce_steps.hpp"

namespace tsubu {

namespace remote {
// A value of a collective of the whole job: with a team in front it is that team's.
template <class T>
concept no_team = !std::same_as<T, team>;
}  // namespace remote

// Returns when every member has called it. Says nothing of messages in flight: see quiescence(), and epoch().
// Collective; blocks until every member has called it; members that differ in what they call end the job.
task<void> barrier(team members, std::source_location where = std::source_location::current());
task<void> barrier(std::source_location where = std::source_location::current());

// `value` of rank `root`, on every member.
// Collective; blocks until the value is here and, of a long vector, until the PEs that it goes to from here have read
// it; members that differ in what they call end the job.
template <class T>
task<T> broadcast(team members, T value, pe_id root = 0, std::source_location where = std::source_location::current()) {
  const remote::collective_call call(remote::collective_kind::broadcast, members, where, root);
  if constexpr (remote::is_vector_with_parts<T>)
    co_return co_await remote::broadcast_vector(call, std::move(value), root);
  remote::count_algorithm(remote::collective_algorithm::broadcast_down_tree);
  const pe_id p = call.size(), me = (call.rank() - root + p) % p;  // numbered from the root
  if (me != 0) {
    remote::collective_receive<T> arriving(call, 0, (tree_parent(me) + root) % p);
    value = co_await arriving;
  }
  for_each_child(me, p, [&](pe_id child) { remote::collective_send<T>(call, 0, (child + root) % p, value); });
  co_await remote::pace_of_network();
  co_return value;
}
template <remote::no_team T>
task<T> broadcast(T value, pe_id root = 0, std::source_location where = std::source_location::current()) {
  return broadcast<T>(world(), std::move(value), root, where);
}

// All values combined by `op` in the order of the ranks, on rank `root`; elsewhere what is returned is a partial result
// without meaning. An operation that commutes takes them from rank `root` on, and one way less.
// Collective; blocks until this PE has done its part; members that differ in what they call end the job, and so do
// vectors of other lengths, and an operation that throws.
template <class T, class Op>
task<T> reduce_to(team members, pe_id root, T value, Op op,
                  std::source_location where = std::source_location::current()) {
  const remote::collective_call call(remote::collective_kind::reduce, members, where, root,
                                     remote::operation_number(op));
  const pe_id first = remote::in_any_order<Op, T> ? root : 0;  // from which the members are numbered
  const pe_id p = call.size(), me = (call.rank() - first + p) % p;
  remote::collective_step round = 0;
  for (pe_id distance = 1; distance < p; distance *= 2, ++round) {
    if ((me & distance) != 0) {
      remote::collective_send<T>(call, round, (me - distance + first) % p, value);
      co_await remote::pace_of_network();
      break;
    }
    if (me + distance < p) {
      remote::collective_receive<T> other(call, round, (me + distance + first) % p);
      value = remote::combine(op, std::move(value), co_await other);
    }
  }
  if (first != root && call.rank() == first) {
    remote::collective_send<T>(call, remote::fold_out, root, value);
    co_await remote::pace_of_network();
  } else if (first != root && call.rank() == root) {
    remote::collective_receive<T> result(call, remote::fold_out, first);
    value = co_await result;
  }
  co_return value;
}
template <class T, class Op>
task<T> reduce_to(pe_id root, T value, Op op, std::source_location where = std::source_location::current()) {
  return reduce_to<T, Op>(world(), root, std::move(value), std::move(op), where);
}

// All values combined by `op` in the order of the ranks (reduce.hpp), on every member, the same bits on each. Vectors
// are combined element by element.
// Collective; blocks until the result is here; members that differ in what they call end the job, and so do vectors of
// other lengths, and an operation that throws.
template <class T, class Op>
task<T> all_reduce(team members, T value, Op op, std::source_location where = std::source_location::current()) {
  return remote::all_reduce_as<T, Op>(remote::collective_kind::all_reduce, std::move(members), std::move(value),
                                      std::move(op), where);
}
template <class T, class Op>
task<T> all_reduce(T value, Op op, std::source_location where = std::source_location::current()) {
  return all_reduce<T, Op>(world(), std::move(value), std::move(op), where);
}

// The values of ranks 0 .. this one, its own included, combined by `op` in their order.
// Collective; blocks until the result is here; members that differ in what they call end the job, and so do vectors of
// other lengths, and an operation that throws.
template <class T, class Op>
task<T> scan(team members, T value, Op op, std::source_location where = std::source_location::current()) {
  const remote::collective_call call(remote::collective_kind::scan, members, where, 0, remote::operation_number(op));
  const pe_id me = call.rank(), p = call.size();
  remote::collective_step round = 0;
  for (pe_id distance = 1; distance < p; distance *= 2, ++round) {
    if (me + distance < p) remote::collective_send<T>(call, round, me + distance, value);
    if (me >= distance) {
      remote::collective_receive<T> lower(call, round, me - distance);
      value = remote::combine(op, co_await lower, std::move(value));
    }
  }
  co_await remote::pace_of_network();
  co_return value;
}
template <class T, class Op>
task<T> scan(T value, Op op, std::source_location where = std::source_location::current()) {
  return scan<T, Op>(world(), std::move(value), std::move(op), where);
}

// One value of each member, by rank, on rank `root`; empty elsewhere.
// Collective; blocks until all have arrived on the root, elsewhere until this PE has done its part; members that differ
// in what they call end the job.
template <class T>
task<std::vector<T>> gather(team members, T value, pe_id root = 0,
                            std::source_location where = std::source_location::current()) {
  const remote::collective_call call(remote::collective_kind::gather, members, where, root);
  const pe_id me = call.rank();
  if constexpr (remote::may_ride<T>) {
    if (!remote::meets_directly(call.size()) && !remote::meets_on_one(call.size())) {
      remote::count_algorithm(remote::collective_algorithm::gather_riding);
      co_return co_await remote::gather_riding<T>(call, root, std::move(value));
    }
  }
  remote::count_algorithm(remote::collective_algorithm::gather_straight);
  std::vector<T> all;
  if (me != root) {
    remote::collective_send<T>(call, 0, root, value);
    co_await remote::pace_of_network();
    co_return all;
  }
  for (pe_id from = 0; from < call.size(); ++from) {
    if (from == me) {
      all.push_back(std::move(value));
      continue;
    }
    remote::collective_receive<T> arriving(call, 0, from);
    all.push_back(co_await arriving);
  }
  co_return all;
}
template <remote::no_team T>
task<std::vector<T>> gather(T value, pe_id root = 0, std::source_location where = std::source_location::current()) {
  return gather<T>(world(), std::move(value), root, where);
}

// One value for each member goes there; one from each comes back, by rank. Values may be vectors of any length.
// Collective; blocks until all have arrived and, of long vectors, this PE's have been read; members that differ in what
// they call end the job, and so does another number of values than of PEs.
template <class T>
task<std::vector<T>> all_to_all(team members, std::vector<T> values,
                                std::source_location where = std::source_location::current()) {
  const pe_id p = members.size();
  require(values.size() == static_cast<std::size_t>(p), "all_to_all needs {} values, one for each PE, and got {}", p,
          values.size());
  const remote::collective_call call(remote::collective_kind::all_to_all, members, where);
  if constexpr (remote::may_ride<T>) {
    if (!remote::meets_directly(p)) {
      remote::count_algorithm(remote::collective_algorithm::all_to_all_riding);
      co_return co_await remote::exchange_riding<T>(call, std::move(values));
    }
  }
  remote::count_algorithm(remote::collective_algorithm::all_to_all_straight);
  co_return co_await remote::exchange_pairwise<T>(call, remote::sent_values::one_each, std::move(values));
}
template <class T>
task<std::vector<T>> all_to_all(std::vector<T> values, std::source_location where = std::source_location::current()) {
  return all_to_all<T>(world(), std::move(values), where);
}

// One value of each member, by rank, on every member.
// Collective; blocks until all have arrived and, of a long vector, this PE's has been read; members that differ in what
// they call end the job.
template <class T>
task<std::vector<T>> all_gather(team members, T value, std::source_location where = std::source_location::current()) {
  const remote::collective_call call(remote::collective_kind::all_gather, members, where);
  const pe_id p = call.size();
  std::vector<T> all;
  if constexpr (remote::may_meet_on_one<T>) {
    if (remote::meets_on_one(p)) all = co_await remote::all_gather_on_one<T>(call, value);
    if (!all.empty()) {
      remote::count_algorithm(remote::collective_algorithm::all_gather_on_one);
      co_return all;
    }
  }
  if constexpr (remote::may_ride<T>) {
    if (!remote::meets_directly(p)) {
      remote::count_algorithm(remote::collective_algorithm::all_gather_riding);
      co_return co_await remote::all_gather_riding<T>(call, std::move(value));
    }
  }
  remote::count_algorithm(remote::collective_algorithm::all_gather_straight);
  if constexpr (std::is_default_constructible_v<T>) {
    all.resize(static_cast<std::size_t>(p));
    all[static_cast<std::size_t>(call.rank())] = std::move(value);
  } else {
    all.assign(static_cast<std::size_t>(p), value);
  }
  co_return co_await remote::exchange_pairwise<T>(call, remote::sent_values::same_to_each, std::move(all));
}
template <class T>
task<std::vector<T>> all_gather(T value, std::source_location where = std::source_location::current()) {
  return all_gather<T>(world(), std::move(value), where);
}

}  // namespace tsubu
