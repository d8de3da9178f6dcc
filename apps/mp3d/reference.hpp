// The same gas on one PE, as MP3D has it: one molecule after the other, in cells with a slot for one partner. What a
// parallel run comes to is compared with what this comes to.
//
// It shares with the parallel versions what happens to one molecule and to one pair, and nothing of how they meet.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/mp3d/pairing.hpp"
#include "apps/mp3d/tunnel.hpp"

namespace mp3d {

class reference {
 public:
  explicit reference(const gas& of);

  void step();

  const counters& counted() const { return counted_; }
  std::int64_t molecules_in_stream() const;
  std::uint64_t digest() const;
  const std::vector<molecule>& molecules() const { return molecules_; }

 private:
  // What is in it is the number of a molecule.
  static constexpr std::int64_t nobody = -1;
  struct cell {
    std::int64_t present = 0;
    std::int64_t slot = nobody;
  };
  void collide_in(cell& where, std::int64_t number);

  gas gas_;
  std::int64_t step_ = 0;
  std::vector<molecule> molecules_;
  std::vector<cell> cells_;
  std::vector<ticket> order_;  // of the molecules in the stream
  counters counted_;
};

}  // namespace mp3d
