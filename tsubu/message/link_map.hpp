// Which link leads to which PE.
//
// A *link* is the number of a neighbour. Where packets go straight all PEs are neighbours, and a PE's link is its
// number; in large jobs packets go over a grid (transport/grid.hpp), on which a PE has few neighbours. One of the links
// leads back to the PE itself.
//
// And what a packet's tag has to say. On a grid of two dimensions a packet that has to take two links goes round one
// corner. The PE in the corner has one coordinate of where it goes, and the last PE sees one coordinate of where it has
// come from in the number of the PE in the corner. So a tag names a PE by its other coordinate, in one byte where no
// dimension is wider than 256. On a grid of three dimensions it has the whole number.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tsubu/transport/grid.hpp"
#include "tsubu/transport/transport.hpp"
#include "tsubu/wire/pe_tag.hpp"

namespace tsubu::message {

class link_map {
 public:
  explicit link_map(const transport::transport& below)
      : straight_pes_(below.hops() == 1 ? below.pe_count() : 0),
        pe_(below.pe()),
        pe_count_(below.pe_count()),
        grid_(below.pe_count(), below.pe(), below.shape()),
        own_(grid_.own_link()),
        name_bytes_(bytes_of_names()) {}

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

  int towards(pe_id to) const { return routed() ? grid_.towards(to).link : to; }
  // The PE at the end of a link; not of the job, perhaps, if the grid is cut off.
  pe_id pe_at(int link) const { return routed() ? grid_.neighbour(link) : link; }

  // On a grid: the neighbour to which a packet for `to` goes first, and a neighbour's link.
  transport::grid::hop hop_towards(pe_id to) const { return grid_.towards(to); }
  pe_id next(pe_id to) const { return grid_.next(to); }
  int link_of(pe_id neighbour) const { return grid_.link_of(neighbour); }

  // How many bytes of a tag name a PE: 1, 2 or 4, and 0 where packets have no tags.
  std::uint32_t name_bytes() const { return name_bytes_; }
  // What names `to`, the PE that a packet is for, to the neighbour that it goes to first.
  std::uint32_t name_for(pe_id to, pe_id next) const { return name_of(to, 1 - grid_.dimension_to(next)); }
  std::uint32_t name_for(pe_id to, const transport::grid::hop& first) const { return name_of(to, 1 - first.dimension); }
  // What names `from`, the PE that a packet is from that is passed on here, to the next PE. On a grid of two dimensions
  // it is a neighbour.
  std::uint32_t name_behind(pe_id from) const { return name_of(from, grid_.dimension_to(from)); }
  // What the name means that has come from a neighbour, of the PE that a packet is for; and of that which it is from.
  wire::pe_tag meaning_for(pe_id neighbour) const { return meaning(neighbour, pe_); }
  wire::pe_tag meaning_behind(pe_id neighbour) const { return meaning(neighbour, neighbour); }

 private:
  std::uint32_t bytes_of_names() const {
    if (!routed()) return 0;
    if (grid_.hops() != 2) return sizeof(pe_id);
    const pe_id most = std::max(grid_.mask(0) >> grid_.shift(0), grid_.mask(1) >> grid_.shift(1));
    return most < 0x100 ? 1 : (most < 0x10000 ? 2 : sizeof(pe_id));
  }
  std::uint32_t name_of(pe_id pe, int dimension) const {
    if (name_bytes_ == sizeof(pe_id)) return static_cast<std::uint32_t>(pe);
    return static_cast<std::uint32_t>(pe & grid_.mask(dimension)) >> grid_.shift(dimension);
  }
  wire::pe_tag meaning(pe_id neighbour, pe_id alike) const {
    if (name_bytes_ == sizeof(pe_id)) return {.bytes = name_bytes_};
    const int d = 1 - grid_.dimension_to(neighbour);
    return {.bytes = name_bytes_, .shift = grid_.shift(d), .base = alike & ~grid_.mask(d)};
  }

  pe_id straight_pes_;  // all, or 0 if packets go over the grid
  pe_id pe_;
  pe_id pe_count_;
  transport::grid grid_;
  int own_;
  std::uint32_t name_bytes_;
};

}  // namespace tsubu::message
