// The trees of UTS, the unbalanced tree search benchmark: a node is a SHA-1 digest, and a child is the digest of its
// parent's and its own number, so every subtree can be made wherever its root is known, and nobody can foresee how
// large it is.
//
// From Olivier, Huan, Liu, Prins, Dinan, Sadayappan and Tseng: UTS: An Unbalanced Tree Search Benchmark, LCPC 2006.
// Knows nothing of PEs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace uts {

struct node {
  std::array<std::uint8_t, 20> digest;
  std::int32_t height;  // the root's is 0
};

// How many children a node has on the average, by its height; drawn from a geometric distribution.
enum class branching {
  linear,   // decreases from the root's to none at the depth
  cyclic,   // goes up and down, with the depth as its period, until five times the depth
  fixed,    // the same, and none at the depth
  binomial  // by chance m or none, whatever the height; the root has b
};

struct shape {
  std::string_view name;
  branching children;
  double b;            // children of the root, on the average, or exactly in a binomial tree
  std::int32_t depth;  // of a tree that is not binomial
  std::uint32_t seed;
  double q = 0;        // in a binomial tree a node has children with this probability,
  std::int32_t m = 0;  // and then so many
  // A hybrid tree is as `children` says down to half the depth, and binomial below.
  bool hybrid = false;
};

struct tally {
  std::int64_t nodes = 0;
  std::int64_t leaves = 0;
  std::int32_t height = 0;  // the largest

  friend bool operator==(const tally&, const tally&) = default;
};

// What of two parts of a tree is known together.
inline tally sum(const tally& a, const tally& b) {
  return {a.nodes + b.nodes, a.leaves + b.leaves, std::max(a.height, b.height)};
}

// A sample tree of the benchmark's distribution, and what it is known to have.
struct sample {
  shape tree;
  tally known;
};
const std::vector<sample>& samples();
// Nothing if there is none of that name.
const sample* find_sample(std::string_view name);
std::string names_of_samples();

node root(const shape& of);
int child_count(const shape& of, const node& parent);
node child(const node& parent, int number);

// All of a tree, one node after the other, on this thread.
tally search(const shape& of);

}  // namespace uts
