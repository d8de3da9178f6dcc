// How long vectors are reduced and spread: in parts, so that each member handles as much as the vector has and not that
// for each round.
//
// all_reduce in halves: in each round partners halve what they still reduce, each sends the other's half and combines
// its own; then the same way back, with what has been reduced. The first partners are the nearest, so most of it stays
// in a node, and between nodes each PE sends a small part. The pairs that are combined are those of recursive doubling,
// and so are the bits.
//
// broadcast in pieces: each member gets a piece of its own, down the tree, and then they gather all pieces.
//
// Sources: Rabenseifner 2004, "Optimization of collective reduction operations"; van de Geijn 1994, "On global combine
// operations".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/tree.hpp"
#include "tsubu/remote/collective_steps.hpp"
#include "tsubu/remote/gather_steps.hpp"

namespace tsubu::remote {

// A part of a vector of so many elements.
template <class X>
struct vector_part {
  std::uint64_t of = 0;
  std::vector<X> elements;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(of, elements);
  }
};

template <class X>
  requires travels_as_bulk<X>
struct as_bulk<vector_part<X>> {
  static constexpr bool known = true;
  using element = X;
  static std::vector<X>& elements(vector_part<X>& value) { return value.elements; }
  static const std::vector<X>& elements(const vector_part<X>& value) { return value.elements; }
  static std::uint64_t number(const vector_part<X>& value) { return value.of; }
  static void set_number(vector_part<X>& value, std::uint64_t number) { value.of = number; }
};

// Elements `from` of a vector of so many, which the caller may change at once.
template <class X>
void send_part(const collective_call& call, collective_step step, pe_id to_rank, std::uint64_t of,
               std::span<const X> from) {
  using travelling = vector_part<X>;
  if constexpr (as_bulk<travelling>::known) {
    if (goes_as_bulk(from.size_bytes()))
      return collective_send_elements<travelling, std::vector<X>>(call, step, to_rank, of, from);
  }
  collective_send<travelling, std::vector<X>>(call, step, to_rank, {of, std::vector<X>(from.begin(), from.end())});
}

// Elements that can be taken by parts.
template <class X>
inline constexpr bool has_parts = wire::fixed_size<X> && std::is_default_constructible_v<X> && !std::is_same_v<X, bool>;

template <class T>
inline constexpr bool is_vector_with_parts = false;
template <class X>
inline constexpr bool is_vector_with_parts<std::vector<X>> = has_parts<X>;

// From so many bytes on a reduction in halves takes less than one by doubling, in rounds as many again. Between nodes
// bytes are dear.
inline std::size_t halves_from_bytes(pe_id size) { return size <= pes_of_a_row() ? 16384 : 1024; }
template <class X>
bool is_reduced_in_halves(const std::vector<X>& value, pe_id size) {
  return size >= 4 && value.size() * sizeof(X) >= halves_from_bytes(size) && value.size() >= to_index(size) &&
         !current_pe->transport().each_packet_alone();
}

// Among members 0 to power_below(size) - 1, whose values are as long; this is one of them.
template <class X, class Op>
task<std::vector<X>> reduce_in_halves(const collective_call& call, std::vector<X> value, const Op& op) {
  using steps = collective_step;
  constexpr steps way_back = 0x20;
  const pe_id me = call.rank(), whole = power_below(call.size());
  struct range {
    std::size_t first, last;
  };
  const auto elements = [&value](range r) { return std::span<const X>(value).subspan(r.first, r.last - r.first); };
  const auto check = [&value](const vector_part<X>& came, range r) {
    require(came.of == value.size(), "a reduction over vectors of {} and {} elements", value.size(), came.of);
    require(came.elements.size() == r.last - r.first, "{} elements of a reduction come where {} should",
            came.elements.size(), r.last - r.first);
  };
  std::vector<std::pair<range, range>> halves;  // by round: this PE's, its partner's
  range mine{0, value.size()};
  steps round = 0;
  for (pe_id distance = 1; distance < whole; distance *= 2, ++round) {
    const pe_id partner = me ^ distance;
    const std::size_t middle = mine.first + (mine.last - mine.first) / 2;
    range theirs{middle, mine.last};
    mine.last = middle;
    if (partner < me) std::swap(mine, theirs);
    halves.emplace_back(mine, theirs);
    send_part<X>(call, round, partner, value.size(), elements(theirs));
    collective_receive<vector_part<X>, std::vector<X>> arriving(call, round, partner);
    vector_part<X> came = co_await arriving;
    check(came, mine);
    X* const own = value.data() + mine.first;
    const X* const other = came.elements.data();
    try {
      if (me < partner) {
        for (std::size_t i = 0; i < came.elements.size(); ++i) own[i] = op(own[i], other[i]);
      } else {
        for (std::size_t i = 0; i < came.elements.size(); ++i) own[i] = op(other[i], own[i]);
      }
    } catch (...) {
      operation_threw();
    }
  }
  for (pe_id distance = whole / 2; distance > 0; distance /= 2) {
    const auto [own, theirs] = halves[--round];
    const pe_id partner = me ^ distance;
    send_part<X>(call, way_back + round, partner, value.size(), elements(own));
    collective_receive<vector_part<X>, std::vector<X>> arriving(call, way_back + round, partner);
    const vector_part<X> came = co_await arriving;
    check(came, theirs);
    std::ranges::copy(came.elements, value.begin() + static_cast<std::ptrdiff_t>(theirs.first));
  }
  co_return value;
}

// Below that, a vector goes down the tree as it is.
inline constexpr std::size_t pieces_from_bytes = 32768;
template <class X>
bool goes_in_pieces(const std::vector<X>& value, pe_id size) {
  return !meets_directly(size) && value.size() * sizeof(X) >= pieces_from_bytes && value.size() >= to_index(size);
}

// `value` of rank `root`, which alone knows how long it is: what comes tells the others.
template <class X>
task<std::vector<X>> broadcast_vector(const collective_call& call, std::vector<X> value, pe_id root) {
  using part_type = vector_part<X>;
  const pe_id p = call.size(), me = (call.rank() - root + p) % p;  // numbered from the root
  const auto rank_of = [p, root](pe_id number) { return (number + root) % p; };
  part_type mine{value.size(), std::move(value)};
  bool in_pieces = me == 0 && goes_in_pieces(mine.elements, p);
  if (me != 0) {
    collective_receive<part_type, std::vector<X>> arriving(call, fold_out, rank_of(tree_parent(me)));
    mine = co_await arriving;
    in_pieces = mine.elements.size() != mine.of;
  }
  count_way(in_pieces ? collective_way::broadcast_in_pieces : collective_way::broadcast_down_tree);
  if (!in_pieces) {
    for_each_child(
        me, p, [&](pe_id child) { send_part<X>(call, fold_out, rank_of(child), mine.of, mine.elements); });
    co_await pace_of_network();
    co_return std::move(mine.elements);
  }
  // Who is number n from the root has the piece from first_of(n) on, and here are those of the subtree.
  const auto first_of = [of = mine.of, p](pe_id n) { return to_index(n) * of / to_index(p); };
  const std::size_t first = first_of(me);
  const auto piece = [&mine, first, first_of](pe_id from, pe_id to) {
    return std::span<const X>(mine.elements).subspan(first_of(from) - first, first_of(to) - first_of(from));
  };
  require(mine.elements.size() == first_of(me + tree_size(me, p)) - first,
          "{} elements of a broadcast of {} come to number {} of {}", mine.elements.size(), mine.of, me, p);
  for_each_child(me, p, [&](pe_id child) {
    send_part<X>(call, fold_out, rank_of(child), mine.of, piece(child, child + tree_size(child, p)));
  });
  const std::span<const X> own = piece(me, me + 1);
  std::vector<X> own_piece(own.begin(), own.end());
  std::vector<std::vector<X>> pieces = co_await all_gather_riding<std::vector<X>>(call, std::move(own_piece));
  std::vector<X> all;
  all.reserve(mine.of);
  for (pe_id n = 0; n < p; ++n) {
    const std::vector<X>& next = pieces[to_index(rank_of(n))];
    all.insert(all.end(), next.begin(), next.end());
  }
  co_return all;
}

}  // namespace tsubu::remote
