// The grid of PEs over which packets travel in large jobs, and who has to do with whom in it.
//
// With P PEs that all send to all, a PE would fill P batches at a time. On a grid of two or three dimensions it fills
// one for each PE in its row, its column and its pile, its *neighbours*; a packet goes from neighbour to neighbour,
// one coordinate at a time (as in dimension-order routing; bale's conveyors and Charm++'s TRAM do the same).
//
// The widths are powers of two, so that a coordinate is some bits of the PE's number, and so that two PEs whose
// numbers differ in one bit are neighbours: a binomial tree over the bits has neighbours only along its edges.
//
// The last row and the last pile may be cut off. next() takes the first coordinate that is wrong and can be put right
// there; one always can, and no cycle of neighbours can wait for each other (docs/message.md has the argument).
#pragma once

#include <bit>
#include <cstdint>

#include "tsubu/base/types.hpp"

namespace tsubu::transport {

inline constexpr int most_hops = 3;

// Below these numbers of PEs, straight lines and two hops take less than what they save.
inline constexpr int usual_hops(int pes) { return pes <= 64 ? 1 : (pes <= 16384 ? 2 : 3); }

class grid {
 public:
  // hops: 1 to most_hops. With one, all PEs are neighbours.
  constexpr grid(pe_id pes, pe_id at, int hops) : pes_(pes), at_(at), hops_(hops) {
    int bits = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(pes - 1)));
    int shift = 0;
    for (int d = 0; d < hops; ++d) {
      const int of_this = (bits + (hops - d) - 1) / (hops - d);
      shift_[d] = shift;
      mask_[d] = ((pe_id{1} << of_this) - 1) << shift;
      shift += of_this;
      bits -= of_this;
      const pe_id width = ((pes - 1) & mask_[d]) >> shift_[d];
      first_link_[d] = links_;
      // Only the last dimension may be cut off for all.
      links_ += (d + 1 == hops ? width : mask_[d] >> shift_[d]) + 1;
    }
  }

  constexpr int hops() const { return hops_; }

  // Neighbours are numbered, this PE itself included: links 0 to links() - 1, some without a PE.
  constexpr int links() const { return links_; }
  constexpr int own_link() const { return at_ & mask_[0]; }

  // The PE to which a packet for `to` goes first: a neighbour, or this PE if that is `to`.
  constexpr pe_id next(pe_id to) const {
    for (int d = 0; d < hops_; ++d) {
      const pe_id candidate = (at_ & ~mask_[d]) | (to & mask_[d]);
      if (candidate != at_ && candidate < pes_) return candidate;
    }
    return at_;
  }

  // The link to a neighbour, or to this PE itself.
  constexpr int link_of(pe_id neighbour) const {
    for (int d = hops_ - 1; d > 0; --d) {
      if (((neighbour ^ at_) & mask_[d]) != 0) return first_link_[d] + ((neighbour & mask_[d]) >> shift_[d]);
    }
    return neighbour & mask_[0];
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
inline constexpr int link_count(int pes, int hops) { return grid(pes, 0, hops).links(); }

}  // namespace tsubu::transport
