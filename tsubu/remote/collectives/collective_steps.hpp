// How collectives go about it, step by step, among the members of a team. collectives.hpp has what programs call.
//
// Whoever is named here is named by its rank in the team. The whole job is a team like others.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <source_location>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/base/tree.hpp"
#include "tsubu/remote/collectives/collective_send.hpp"
#include "tsubu/remote/collectives/reduce.hpp"
#include "tsubu/remote/collectives/round_members.hpp"
#include "tsubu/remote/collectives/two_level_layout.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::remote {

inline std::size_t to_index(pe_id rank) { return static_cast<std::size_t>(rank); }

struct nothing {};

// Whether barriers, reductions and gathered values meet on rank 0 and go back from there. A PE that waits for a core
// has its turn when all before it had theirs, so rounds and packets cost more there than that rank 0 has most of the
// work.
inline bool meets_on_one(pe_id size) { return current_pe->shares_cores() && 4 < size && size <= 64; }

// Whether values for many members, or of many, are short of company: sent straight, each in a batch of its own. So they
// are where a machine sends each message by itself, and up to as many members as rounds would save nothing.
inline bool meets_directly(pe_id size) { return size <= 8 || current_pe->transport().each_packet_alone(); }

// As many PEs as share a node, those whose numbers differ in the lowest bits only: a row of the job's grid. Where
// nothing is known of nodes, as many as large ones have.
inline pe_id pes_of_a_row() {
  constexpr pe_id usual = 64;
  const pe_id row = current_pe->transport().shape().row;
  return row != 0 ? row : usual;
}

// The members of a team in rows that share a node: so far as it tells by those of ranks 0 and 1.
inline two_level_layout rows_of(const collective_call& call) {
  const pe_id apart = call.size() > 1 ? std::abs(call.pe(1) - call.pe(0)) : 1;
  return {call.size(), pes_of_a_row() / apart};
}

// Values that are no trouble to keep for all members on one.
template <class T>
inline constexpr bool is_short = std::is_trivially_copyable_v<T> && sizeof(T) <= 256;

// Awaited where a PE has only sent in a collective, and so waits for nobody: ready unless that is more than the network
// holds, as it may be in a loop.
class pace_of_network : public room_everywhere {
 public:
  bool await_ready() const { return !message::this_endpoint->has_waiting(); }
};

// `value` of each member, by rank, on rank 0; elsewhere empty. Values: a sequence of T.
template <class Values, class T>
task<Values> gather_on_one(const collective_call& call, T value) {
  Values all;
  if (call.rank() != 0) {
    collective_send<T>(call, fold_in, 0, value);
    co_return all;
  }
  all.push_back(std::move(value));
  for (pe_id from = 1; from < call.size(); ++from) {
    collective_receive<T> arriving(call, fold_in, from);
    all.push_back(co_await arriving);
  }
  co_return all;
}

// `value` of rank 0.
template <class T>
task<T> spread_from_one(const collective_call& call, T value) {
  if (call.rank() != 0) {
    collective_receive<T> arriving(call, fold_out, 0);
    co_return co_await arriving;
  }
  for (pe_id to = 1; to < call.size(); ++to) collective_send<T>(call, fold_out, to, value);
  co_return value;
}

// An exception of the operation would reach the members that combine those values and leave the others waiting, and
// which they are depends on the number of cores.
[[noreturn, gnu::cold]] void operation_threw();

template <class T, class Op>
T combine(const Op& op, T a, T b) {
  try {
    return op(std::move(a), std::move(b));
  } catch (...) {
    operation_threw();
  }
}
// Vectors of one length are combined element by element.
template <class T, class Op>
std::vector<T> combine(const Op& op, std::vector<T> a, std::vector<T> b) {
  require(a.size() == b.size(), "a reduction over vectors of {} and {} elements", a.size(), b.size());
  try {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = op(a[i], b[i]);
  } catch (...) {
    operation_threw();
  }
  return a;
}

// Whether values of T need not be combined in the order of the ranks.
template <class Op, class T>
inline constexpr bool in_any_order = reduce::commutes<Op, T>;
template <class Op, class X>
inline constexpr bool in_any_order<Op, std::vector<X>> = reduce::commutes<Op, X>;

// As recursive doubling combines them.
template <class T, class Op>
T combine_in_pairs(std::deque<T> all, const Op& op, const round_members& members) {
  const auto take_in = [&](pe_id rank, pe_id other) {
    all[to_index(rank)] = combine(op, std::move(all[to_index(rank)]), std::move(all[to_index(other)]));
  };
  const pe_id whole = members.count();
  for (pe_id i = 0; i < whole; ++i) {
    const pe_id rank = members.rank(i), lender = members.partner(rank);
    if (lender != no_pe) take_in(rank, lender);
  }
  for (pe_id distance = 1; distance < whole; distance *= 2) {
    for (pe_id i = 0; i < whole; i += 2 * distance) take_in(members.rank(i), members.rank(i + distance));
  }
  return std::move(all[0]);
}

// What rank 0 sends to each of the others, at most.
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

// By rank 0; empty if that would be too much for one PE.
template <class T>
task<std::vector<T>> all_gather_on_one(const collective_call& call, T value) {
  std::vector<T> all = co_await gather_on_one<std::vector<T>, T>(call, std::move(value));
  if (bytes_of_all(all) > most_bytes_from_one) all.clear();
  co_return co_await spread_from_one<std::vector<T>>(call, std::move(all));
}

}  // namespace tsubu::remote
