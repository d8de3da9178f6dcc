// Shared variables: the shortest tour of eleven towns, by branch and bound.
//
// All PEs search. What each must know at every step is the length of the best tour that anybody has found: it is read
// a million times and written a few dozen times, so every PE keeps a copy, which a write updates. Who has nothing to do
// takes the next part of the search from a counter; and how many steps all have taken is a sum, which is added up where
// the steps are.
//
//   example_17_shared_data [SEED]
#include <tsubu/base/random.hpp>
#include <tsubu/tsubu.hpp>

#include <array>
#include <cstdio>
#include <limits>

using namespace tsubu;

constexpr int towns = 11;
using distances = std::array<std::array<int, towns>, towns>;

distances make_map(std::uint64_t seed) {
  random_source random(seed);
  std::array<std::array<int, 2>, towns> places{};
  for (auto& p : places) p = {static_cast<int>(random.below(1000)), static_cast<int>(random.below(1000))};
  distances d{};
  for (std::size_t a = 0; a < towns; ++a) {
    for (std::size_t b = 0; b < towns; ++b) {
      d[a][b] = std::abs(places[a][0] - places[b][0]) + std::abs(places[a][1] - places[b][1]);
    }
  }
  return d;
}

// What all PEs share.
struct search_state {
  shared<int> best;    // the length of the shortest tour so far
  shared<int> next;    // the next part of the search
  shared<long> steps;  // of all PEs
};

// These run where the value is, once each.
bool lower(int& best, int length) {
  if (length >= best) return false;
  best = length;
  return true;
}
int take(int& next) { return next++; }

task<void> visit(const distances& d, const search_state& all, unsigned visited, std::size_t at, int length) {
  all.steps.add(1);
  if (length >= co_await all.best.read()) co_return;  // of the copy here: no message, no wait
  if (visited == (1U << towns) - 1) {
    const int tour = length + d[at][0];
    if (tour < co_await all.best.read()) co_await all.best.change<lower>(tour);
    co_return;
  }
  for (std::size_t to = 1; to < towns; ++to) {
    if ((visited >> to & 1) == 0) co_await visit(d, all, visited | 1U << to, to, length + d[at][to]);
  }
}

// The same by dynamic programming, on one PE: the shortest way over the towns of a set that ends in one of them.
int shortest(const distances& d) {
  constexpr int far = std::numeric_limits<int>::max() / 2;
  std::vector<std::array<int, towns>> way(1U << towns);
  for (auto& of_set : way) of_set.fill(far);
  way[1][0] = 0;
  for (unsigned set = 1; set < 1U << towns; ++set) {
    for (std::size_t at = 0; at < towns; ++at) {
      for (std::size_t to = 1; to < towns; ++to) {
        if ((set >> to & 1) == 0) way[set | 1U << to][to] = std::min(way[set | 1U << to][to], way[set][at] + d[at][to]);
      }
    }
  }
  int best = far;
  for (std::size_t at = 1; at < towns; ++at) best = std::min(best, way.back()[at] + d[at][0]);
  return best;
}

task<int> program(arguments args) {
  const distances d = make_map(args.number<std::uint64_t>(1, 1));

  search_state all;
  if (this_pe() == 0) {
    all.best = create_shared(protocol::update, std::numeric_limits<int>::max());
    all.next = create_shared(protocol::global, 0);
    all.steps = create_shared(protocol::accumulate, 0L);
  }
  all = co_await broadcast(all);  // names are values, and travel

  constexpr int parts = (towns - 1) * (towns - 2);  // the first two towns of a tour
  for (int part; (part = co_await all.next.change<take>()) < parts;) {
    const auto first = static_cast<std::size_t>(1 + part / (towns - 2));
    auto second = static_cast<std::size_t>(1 + part % (towns - 2));
    if (second >= first) ++second;
    co_await yield();  // the home of a variable answers the others when it has a moment
    co_await visit(d, all, 1U | 1U << first | 1U << second, second, d[0][first] + d[first][second]);
  }
  co_await quiescence();

  const int found = co_await all.best.read();
  if (this_pe() == 0) {
    std::printf("the shortest tour of %d towns: %d, found in %ld steps\n", towns, found, co_await all.steps.read());
  }
  co_return found == shortest(d) ? 0 : 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
