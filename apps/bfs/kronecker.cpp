#include "apps/bfs/kronecker.hpp"

#include <initializer_list>

#include "tsubu/base/random.hpp"

namespace bfs {
namespace {

// A probability as a bound on 64 random bits.
constexpr std::uint64_t bound(double probability) { return static_cast<std::uint64_t>(probability * 0x1p64); }

std::uint64_t reversed(std::uint64_t bits) {
  bits = (bits >> 1 & 0x5555555555555555) | (bits & 0x5555555555555555) << 1;
  bits = (bits >> 2 & 0x3333333333333333) | (bits & 0x3333333333333333) << 2;
  bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0f) | (bits & 0x0f0f0f0f0f0f0f0f) << 4;
  return __builtin_bswap64(bits);
}

}  // namespace

kronecker::kronecker(int scale, int edgefactor, std::uint64_t seed) : scale_(scale), edgefactor_(edgefactor) {
  tsubu::random_source random(seed);
  first_seed_ = random();
  scramble_[0] = random();
  scramble_[1] = random();
}

// In each step the edge goes into a quadrant of the adjacency matrix: a bit of each end.
edge kronecker::edge_at(std::uint64_t number) const {
  tsubu::random_source random(first_seed_ + number);
  edge e{0, 0};
  for (int step = 0; step < scale_; ++step) {
    const std::uint64_t chance = random();
    const vertex below = chance >= bound(a + b);
    const vertex right = (chance >= bound(a)) ^ below ^ (chance >= bound(a + b + c));
    e.from = e.from << 1 | below;
    e.to = e.to << 1 | right;
  }
  return {scrambled(e.from), scrambled(e.to)};
}

vertex kronecker::scrambled(vertex v) const {
  // Each step is a bijection of the lowest scale bits: adding, multiplying by an odd number, reversing them.
  std::uint64_t x = v + scramble_[0] + scramble_[1];
  for (const std::uint64_t odd : {scramble_[0] | 0x4519840211493211, scramble_[1] | 0x3050852102c843a5}) {
    x = reversed(x * odd) >> (64 - scale_);
  }
  return static_cast<vertex>(x);
}

}  // namespace bfs
