// The lanes of a rank, by the one name under which its two owners know them: mpi_transport, where a rank is one PE that
// shares memory with no other, and engine. Both send, receive and end by the contract below and know no more.
#pragma once

#include <concepts>
#include <cstddef>

#include "tsubu/transport/mpi/credit_lanes.hpp"
#include "tsubu/transport/mpi/label.hpp"
#include "tsubu/transport/mpi/mpi_carrier.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

// What a kind of lane does; credit_lanes says what each function promises. A peer is an int: the number of its lane,
// but for take(), which tells the rank. One thread at a time calls them, and none blocks but open().
template <class Lanes>
concept lane_set = requires(Lanes& lanes, const Lanes& same, int peer, int& rank, batch* b, const label& what) {
  // Where buffers come from: batches that are posted, and batches that have been taken, are its.
  { lanes.batches().take() } -> std::same_as<batch*>;
  lanes.batches().put(b);

  lanes.open();
  lanes.post(peer, b, what);
  lanes.post_news(peer, what.what);
  { same.on_the_way(peer) } -> std::same_as<int>;

  { same.listening() } -> std::same_as<bool>;
  { lanes.has_arrival() } -> std::same_as<bool>;
  { lanes.take(rank) } -> std::same_as<batch*>;
  { lanes.admit(peer, b) } -> std::same_as<label>;
  lanes.owe(peer);
  lanes.owe_all_but(peer, 0U);

  lanes.pay_all();
  lanes.chores();
  { same.has_chores() } -> std::same_as<bool>;
  { same.sending() } -> std::same_as<bool>;

  // Bulks: offer(), cleared(), receive(), poll(), active(), idle(), as in bulk.hpp.
  { same.bulks().idle() } -> std::same_as<bool>;

  { lanes.advance_end(true) } -> std::same_as<bool>;
  { same.closed() } -> std::same_as<bool>;
};

template <class Batches, credit_return When>
using lanes = credit_lanes<mpi_carrier, Batches, When>;

}  // namespace tsubu::transport::mpi
