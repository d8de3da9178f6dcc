// The grid of PEs over which packets travel in large jobs, and who has to do with whom in it.
//
// With P PEs that all send to all, a PE would fill P batches at a time. On a grid of two or three dimensions it fills
// one for each PE in its row, its column and its pile, its *neighbours*; a packet goes from neighbour to neighbour,
// one coordinate at a time (as in dimension-order routing; bale's conveyors and Charm++'s TRAM do the same).
//
// The widths are powers of two, so that a coordinate is some bits of the PE's number, and so that two PEs whose
// numbers differ in one bit are neighbours: a binomial tree over the bits has neighbours only along its edges.
//
// Where PEs share nodes, one dimension lies inside the nodes: its rows, or, if the PEs were dealt to the nodes one by
// one, its columns. Then a packet crosses the cable of a node once, whichever way it takes.
//
// next() takes the highest coordinate that is wrong and can be put right there: the last row and the last pile may be
// cut off. One always can, and no cycle of neighbours can wait for each other (docs/message.md has the argument).
#pragma once

#include <bit>
#include <cstdint>

#include "tsubu/base/types.hpp"

namespace tsubu::transport {

inline constexpr int most_hops = 3;

struct grid_shape {
  int hops = 1;   // 1 to most_hops; with one, all PEs are neighbours
  pe_id row = 0;  // PEs of a row, a power of two, also where one hop needs none; 0: about as many as there are rows
};

class grid {
 public:
  constexpr grid(pe_id pes, pe_id at, grid_shape shape) : pes_(pes), at_(at), hops_(shape.hops) {
    int bits = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(pes - 1)));
    int shift = 0;
    for (int d = 0; d < hops_; ++d) {
      int of_this = (bits + (hops_ - d) - 1) / (hops_ - d);
      if (d == 0 && hops_ > 1 && shape.row != 0) {
        of_this = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(shape.row))) - 1;
        if (of_this > bits) of_this = bits;
      }
      shift_[d] = shift;
      mask_[d] = ((pe_id{1} << of_this) - 1) << shift;
      shift += of_this;
      bits -= of_this;
      const pe_id width = ((pes - 1) & mask_[d]) >> shift_[d];
      first_link_[d] = links_;
      // Only the last dimension may be cut off for all.
      links_ += (d + 1 == hops_ ? width : mask_[d] >> shift_[d]) + 1;
    }
  }

  constexpr int hops() const { return hops_; }

  // Neighbours are numbered, this PE itself included: links 0 to links() - 1, some without a PE.
  constexpr int links() const { return links_; }
  constexpr int own_link() const { return at_ & mask_[0]; }

  // A neighbour to which a packet goes, or this PE itself, along dimension 0; the dimension along which it lies, and
  // its link.
  struct hop {
    pe_id pe;
    int dimension;
    int link;
  };
  // Where a packet for `to` goes first.
  constexpr hop towards(pe_id to) const {
    for (int d = hops_ - 1; d >= 0; --d) {
      const pe_id candidate = (at_ & ~mask_[d]) | (to & mask_[d]);
      if (candidate != at_ && candidate < pes_) return {candidate, d, first_link_[d] + ((to & mask_[d]) >> shift_[d])};
    }
    return {at_, 0, own_link()};
  }
  constexpr pe_id next(pe_id to) const { return towards(to).pe; }

  // The link to a neighbour, or to this PE itself.
  constexpr int link_of(pe_id neighbour) const {
    const int d = dimension_to(neighbour);
    return d > 0 ? first_link_[d] + ((neighbour & mask_[d]) >> shift_[d]) : neighbour & mask_[0];
  }
  constexpr bool is_neighbour(pe_id other) const {
    int different = 0;
    for (int d = 0; d < hops_; ++d) different += ((other ^ at_) & mask_[d]) != 0 ? 1 : 0;
    return different <= 1;
  }

  // The PE at the end of a link; not of the job, perhaps, if the grid is cut off.
  constexpr pe_id neighbour(int link) const {
    int d = hops_ - 1;
    while (d > 0 && link < first_link_[d]) --d;
    return (at_ & ~mask_[d]) | (static_cast<pe_id>(link - first_link_[d]) << shift_[d]);
  }

  // The dimension along which a neighbour lies; 0 also for this PE itself.
  constexpr int dimension_to(pe_id neighbour) const {
    int d = hops_ - 1;
    while (d > 0 && ((neighbour ^ at_) & mask_[d]) == 0) --d;
    return d;
  }

  // The bits of a PE's number that are its coordinate in dimension d, and how far they are from the lowest.
  constexpr pe_id mask(int d) const { return mask_[d]; }
  constexpr int shift(int d) const { return shift_[d]; }

 private:
  pe_id pes_;
  pe_id at_;
  int hops_;
  int links_ = 0;
  int shift_[most_hops] = {};
  pe_id mask_[most_hops] = {};
  int first_link_[most_hops] = {};
};

// How many links a PE has.
inline constexpr int link_count(int pes, grid_shape shape) { return grid(pes, 0, shape).links(); }

// With more links batches get so small that a further hop costs less.
inline constexpr int most_usual_links = 512;

// The shape that a job has unless its settings say otherwise. Below 65 PEs, straight lines take less than what hops
// save. `row`: PEs of a row that lies within a node, or of one that reaches all nodes; 0: there are no nodes, or they
// hold no number of PEs that would fit a grid.
inline constexpr grid_shape usual_shape(int pes, pe_id row = 0) {
  if (pes <= 64) return {1, row};
  if (row > 1 && row < pes) {
    for (int hops = 2; hops <= most_hops; ++hops) {
      if (link_count(pes, {hops, row}) <= most_usual_links) return {hops, row};
    }
  }
  return {pes <= 16384 ? 2 : 3, 0};
}

// The shape for so many hops, or the usual one for 0.
inline constexpr grid_shape shape_of(int pes, int hops, pe_id row) {
  if (hops == 0) return usual_shape(pes, row);
  return {hops, hops == 1 || (row > 1 && row < pes) ? row : 0};
}

}  // namespace tsubu::transport
