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
// What fits no batch is read where it lies in its sender's vector, and comes to where it belongs in the receiver's, so
// that it is copied once. Its sender waits until it has left before it changes that, or returns it.
//
// Sources: Rabenseifner 2004, "Optimization of collective reduction operations"; van de Geijn 1994, "On global combine
// operations".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/tree.hpp"
#include "tsubu/remote/collectives/collective_steps.hpp"
#include "tsubu/remote/collectives/gather_steps.hpp"
#include "tsubu/remote/collectives/zero_copy_send.hpp"

namespace tsubu::remote {

// A part of a vector of so many elements.
template <class X>
struct vector_part {
  std::uint64_t of = 0;
  std::vector<X> elements;
  bool in_place = false;  // they are where they were awaited, and not in `elements`

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
  static std::span<const X> view(const vector_part<X>& value) { return value.elements; }
  static std::uint64_t number(const vector_part<X>& value) { return value.of; }
  static void set_number(vector_part<X>& value, std::uint64_t number) { value.of = number; }
  static constexpr bool may_have_place = true;
  static void set_in_place(vector_part<X>& value) { value.in_place = true; }
};

// A vector that bulks under way from it, and to it, keep.
template <class X>
using held_vector = std::shared_ptr<std::vector<X>>;

// For what is awaited there.
template <class X>
element_place place_in(std::shared_ptr<void> owner, std::span<X> elements) {
  if constexpr (as_bulk<vector_part<X>>::known) {
    const auto bytes = std::as_writable_bytes(elements);
    if (!bytes.empty()) return {bytes.data(), bytes.size(), std::move(owner)};
  }
  return {};
}

// These elements, a part of a vector of so many. They lie in memory of `sending`, and may be changed when all of that
// has left.
template <class X>
void send_part(const collective_call& call, collective_step step, pe_id to_rank, std::uint64_t of,
               const std::shared_ptr<zero_copy_send>& sending, std::span<const X> from) {
  using travelling = vector_part<X>;
  if constexpr (as_bulk<travelling>::known) {
    if (goes_as_bulk(from.size_bytes())) {
      return collective_send_elements<travelling, std::vector<X>>(call, step, to_rank, of,
                                                                  zero_copy_send::source(sending, std::as_bytes(from)));
    }
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

struct element_range {
  std::size_t first, last;
  std::size_t size() const { return last - first; }
};
// A round of a reduction in halves.
struct halving {
  pe_id partner;  // its number among the members
  element_range mine, theirs;
  std::size_t place;  // of what comes to be combined with `mine`, among what comes in all rounds
};

// The rounds of member `me` of so many, a power of two, with a vector of so many elements.
std::vector<halving> halvings(pe_id me, pe_id members, std::size_t elements);

// Among these members, whose values are as long; this is one of them.
template <class X, class Op>
task<std::vector<X>> reduce_in_halves(const collective_call& call, round_members members, std::vector<X> value,
                                      const Op& op) {
  using receive = collective_receive<vector_part<X>, std::vector<X>>;
  constexpr collective_step way_back = 0x20;
  const pe_id me = members.number(call.rank());
  const std::size_t of = value.size();
  const std::vector<halving> rounds = halvings(me, members.count(), of);
  const auto check = [of](const vector_part<X>& came, element_range r) {
    require(came.of == of, "a reduction over vectors of {} and {} elements", of, came.of);
    require(came.in_place || came.elements.size() == r.size(), "{} elements of a reduction come where {} should",
            came.elements.size(), r.size());
  };
  const held_vector<X> all = std::make_shared<std::vector<X>>(std::move(value));
  const auto part = [&all](element_range r) { return std::span<X>(*all).subspan(r.first, r.size()); };
  const auto sending = std::make_shared<zero_copy_send>(all);
  std::shared_ptr<X[]> others;
  if (as_bulk<vector_part<X>>::known && goes_as_bulk(of / 2 * sizeof(X)))
    others = std::make_shared_for_overwrite<X[]>(rounds.back().place + rounds.back().mine.size());
  const auto place_of_other = [&others](const halving& h) {
    return others == nullptr ? element_place() : place_in(others, std::span(others.get() + h.place, h.mine.size()));
  };

  std::deque<receive> arriving;
  for (std::size_t r = 0; r < rounds.size(); ++r)
    arriving.emplace_back(call, static_cast<collective_step>(r), members.rank(rounds[r].partner),
                          place_of_other(rounds[r]));
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    const halving& h = rounds[r];
    send_part<X>(call, static_cast<collective_step>(r), members.rank(h.partner), of, sending, part(h.theirs));
    receive& from_partner = arriving[r];
    const vector_part<X> came = co_await from_partner;
    check(came, h.mine);
    X* const own = all->data() + h.mine.first;
    const X* const other = came.in_place ? others.get() + h.place : came.elements.data();
    try {
      if (me < h.partner) {
        for (std::size_t i = 0; i < h.mine.size(); ++i) own[i] = op(own[i], other[i]);
      } else {
        for (std::size_t i = 0; i < h.mine.size(); ++i) own[i] = op(other[i], own[i]);
      }
    } catch (...) {
      operation_threw();
    }
  }
  send_completion theirs_sent(sending, call.name(), call.where());
  co_await theirs_sent;

  std::deque<receive> returning;
  collective_step step = way_back;
  for (const halving& h : rounds)
    returning.emplace_back(call, step++, members.rank(h.partner), place_in(all, part(h.theirs)));
  for (std::size_t r = rounds.size(); r-- > 0;) {
    const halving& h = rounds[r];
    send_part<X>(call, --step, members.rank(h.partner), of, sending, part(h.mine));
    receive& from_partner = returning[r];
    const vector_part<X> came = co_await from_partner;
    check(came, h.theirs);
    if (!came.in_place) std::ranges::copy(came.elements, part(h.theirs).begin());
  }
  send_completion all_sent(sending, call.name(), call.where());
  co_await all_sent;
  co_return std::move(*all);
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
  std::uint64_t of = value.size();
  const held_vector<X> mine = std::make_shared<std::vector<X>>(std::move(value));
  bool in_pieces = me == 0 && goes_in_pieces(*mine, p);
  if (me != 0) {
    collective_receive<part_type, std::vector<X>> arriving(call, fold_out, rank_of(tree_parent(me)),
                                                           place_in(mine, std::span(*mine)));
    part_type came = co_await arriving;
    of = came.of;
    if (!came.in_place) *mine = std::move(came.elements);
    in_pieces = mine->size() != of;
  }
  count_algorithm(in_pieces ? collective_algorithm::broadcast_in_pieces : collective_algorithm::broadcast_down_tree);
  const auto sending = std::make_shared<zero_copy_send>(mine);
  if (!in_pieces) {
    for_each_child(me, p, [&](pe_id child) { send_part<X>(call, fold_out, rank_of(child), of, sending, *mine); });
    co_await pace_of_network();
    send_completion all_sent(sending, call.name(), call.where());
    co_await all_sent;
    co_return std::move(*mine);
  }
  // Who is number n from the root has the piece from first_of(n) on, and here are those of the subtree.
  const auto first_of = [of, p](pe_id n) { return to_index(n) * of / to_index(p); };
  const std::size_t first = first_of(me);
  const auto piece = [&mine, first, first_of](pe_id from, pe_id to) {
    return std::span<const X>(*mine).subspan(first_of(from) - first, first_of(to) - first_of(from));
  };
  require(mine->size() == first_of(me + tree_size(me, p)) - first,
          "{} elements of a broadcast of {} come to number {} of {}", mine->size(), of, me, p);
  for_each_child(me, p, [&](pe_id child) {
    send_part<X>(call, fold_out, rank_of(child), of, sending, piece(child, child + tree_size(child, p)));
  });
  const std::span<const X> own = piece(me, me + 1);
  std::vector<X> own_piece(own.begin(), own.end());
  std::vector<std::vector<X>> pieces = co_await all_gather_riding<std::vector<X>>(call, std::move(own_piece));
  std::vector<X> all;
  all.reserve(of);
  for (pe_id n = 0; n < p; ++n) {
    const std::vector<X>& next = pieces[to_index(rank_of(n))];
    all.insert(all.end(), next.begin(), next.end());
  }
  co_return all;
}

}  // namespace tsubu::remote
