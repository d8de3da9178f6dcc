// Which link leads to which PE.
//
// A *link* is the number of a neighbour. Where packets go straight all PEs are neighbours, and a PE's link is its
// number; in large jobs packets go over a grid (transport/grid.hpp), on which a PE has few neighbours. One of the links
// leads back to the PE itself.
#pragma once

#include <cstdint>

#include "tsubu/transport/grid.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::message {

class link_map {
 public:
  explicit link_map(const transport::transport& below)
      : straight_pes_(below.hops() == 1 ? below.pe_count() : 0),
        pe_(below.pe()),
        pe_count_(below.pe_count()),
        grid_(below.pe_count(), below.pe(), below.hops()),
        own_(grid_.own_link()) {}

  pe_id pe() const { return pe_; }
  pe_id pe_count() const { return pe_count_; }
  int size() const { return grid_.links(); }
  int own() const { return own_; }

  // Packets go over the grid.
  bool routed() const { return straight_pes_ == 0; }
  // `to` is a PE of the job, and its link is its number. On a grid no PE is straight ahead.
  bool straight_to(pe_id to) const {
    return static_cast<std::uint32_t>(to) < static_cast<std::uint32_t>(straight_pes_);
  }
  bool exists(pe_id to) const { return static_cast<std::uint32_t>(to) < static_cast<std::uint32_t>(pe_count_); }

  int towards(pe_id to) const { return routed() ? grid_.link_of(grid_.next(to)) : to; }
  // The PE at the end of a link; not of the job, perhaps, if the grid is cut off.
  pe_id pe_at(int link) const { return routed() ? grid_.neighbour(link) : link; }

  // On a grid: the neighbour to which a packet for `to` goes first, and a neighbour's link.
  pe_id next(pe_id to) const { return grid_.next(to); }
  int link_of(pe_id neighbour) const { return grid_.link_of(neighbour); }

 private:
  pe_id straight_pes_;  // all, or 0 if packets go over the grid
  pe_id pe_;
  pe_id pe_count_;
  transport::grid grid_;
  int own_;
};

}  // namespace tsubu::message
