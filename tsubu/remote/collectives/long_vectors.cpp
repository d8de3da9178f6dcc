#include "tsubu/remote/collectives/long_vectors.hpp"

#include <utility>

namespace tsubu::remote {

std::vector<halving> halvings(pe_id me, pe_id members, std::size_t elements) {
  std::vector<halving> rounds;
  std::size_t coming = 0;
  element_range mine{0, elements};
  for (pe_id distance = 1; distance < members; distance *= 2) {
    const pe_id partner = me ^ distance;
    const std::size_t middle = mine.first + mine.size() / 2;
    element_range theirs{middle, mine.last};
    mine.last = middle;
    if (partner < me) std::swap(mine, theirs);
    rounds.push_back({partner, mine, theirs, coming});
    coming += mine.size();
  }
  return rounds;
}

}  // namespace tsubu::remote
