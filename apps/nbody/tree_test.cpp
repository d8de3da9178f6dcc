// The tree over several PEs: shares hold each body once and divide no small cell; the tree has the cells that a count
// over all keys tells, whatever the number of PEs; and with every cell opened the forces are the direct sums, also
// where deep stacks make messages wait. Among the bodies are many in one place, and there may be fewer of them than
// PEs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

#include "apps/nbody/distribution.hpp"
#include "apps/nbody/shares.hpp"
#include "apps/nbody/tree.hpp"
#include "apps/nbody/verification.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;
using namespace nbody;

constexpr std::int64_t group_bodies = 6;
constexpr std::size_t leaf_bodies = 3;

void expect(bool holds, const char* what, std::int64_t bodies) {
  if (holds) return;
  std::fprintf(stderr, "tree_test: PE %d of %d, %lld bodies: %s\n", this_pe(), pe_count(),
               static_cast<long long>(bodies), what);
  std::exit(1);
}

// A seventh of the bodies is in one place.
std::vector<body> make_part(std::int64_t count) {
  std::vector<body> mine;
  for (std::int64_t i = this_pe(); i < count; i += pe_count()) {
    mine.push_back(make_body(distribution::plummer, count, 5, i));
    if (i % 7 == 3) mine.back().position = {0.1, 0.2, 0.3};
  }
  return mine;
}

std::int64_t cells_of(std::span<const body_key> sorted, place in) {
  if (sorted.empty()) return 0;
  std::int64_t cells = 1;
  if (sorted.size() <= leaf_bodies || in.level == deepest_level) return cells;
  for (int o = 0; o < 8; ++o) {
    const auto first = std::lower_bound(sorted.begin(), sorted.end(), in.octant(o).first);
    const auto last = std::lower_bound(first, sorted.end(), in.octant(o).end());
    cells += cells_of(std::span<const body_key>(first, last), in.octant(o));
  }
  return cells;
}

std::size_t keys_in(const std::vector<body_key>& sorted, place in) {
  return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), in.end()) -
                                  std::lower_bound(sorted.begin(), sorted.end(), in.first));
}

task<std::vector<body_key>> all_keys(const std::vector<body>* bodies) {
  std::vector<body_key> mine, all;
  for (const body& b : *bodies) mine.push_back(b.key);
  const std::vector<std::vector<body_key>> parts = co_await all_gather(std::move(mine));
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  co_return all;
}

task<void> check_shares(const std::vector<body>* bodies, const shares* divided, std::int64_t count) {
  for (const body& b : *bodies) expect(divided->owner(b.key) == this_pe(), "a body is on the wrong PE", count);
  const std::vector<body_key> keys = co_await all_keys(bodies);
  expect(keys.size() == static_cast<std::size_t>(count), "bodies were lost or doubled", count);
  expect(std::is_sorted(keys.begin(), keys.end()), "the keys of all PEs are not in order", count);
  for (const body_key border : divided->first) {
    for (place in; in.level < deepest_level;) {
      if (border == in.first || border == past_all_keys) break;
      expect(in.level == 0 || keys_in(keys, in) > static_cast<std::size_t>(group_bodies),
             "a border divides a small cell", count);
      in = in.octant(octant_of(border, in.level));
    }
  }
}

// Asks from a stack that is `depth` times 8 KiB deeper.
[[gnu::noinline]] future<answer> ask_from(int depth, ref<nbody::cell> root, const std::vector<point>& targets) {
  volatile char pad[8192];
  pad[0] = static_cast<char>(depth);
  if (depth == 0) return root.future<&nbody::cell::attract>(targets, std::vector<ref<nbody::cell>>());
  future<answer> given = ask_from(depth - 1, root, targets);
  pad[1] = pad[0];
  return given;
}

// Where the stack gets deep, visits are queued; all are under way together here.
task<void> check_deep_stacks(const std::vector<body>* bodies, ref<nbody::cell> root, std::int64_t count) {
  std::vector<point> targets;
  for (std::size_t i = 0; i < std::min<std::size_t>(5, bodies->size()); ++i) targets.push_back((*bodies)[i].position);
  if (targets.empty()) co_return;
  constexpr int deepest = 64;
  std::vector<future<answer>> asked;
  asked.reserve(deepest);
  for (int depth = 0; depth < deepest; ++depth) asked.push_back(ask_from(depth, root, targets));
  const answer expected = co_await std::move(asked.front());
  for (std::size_t depth = 1; depth < asked.size(); ++depth) {
    const answer got = co_await std::move(asked[depth]);
    expect(got.interactions == expected.interactions, "a walk from a deep stack has met others", count);
    expect(got.elsewhere.size() == expected.elsewhere.size(), "a walk from a deep stack leads elsewhere", count);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const point a = expected.felt[i].acceleration, wrong = got.felt[i].acceleration - a;
      expect(dot(wrong, wrong) <= 1e-20 * dot(a, a), "a walk from a deep stack has found other forces", count);
    }
  }
}

task<void> check_tree(std::int64_t count) {
  std::vector<body> bodies = make_part(count);
  const shares divided = co_await share_out(&bodies, group_bodies);
  co_await check_shares(&bodies, &divided, count);

  const tree made = co_await build_tree(&bodies, &divided);
  const std::vector<body_key> keys = co_await all_keys(&bodies);
  // The cube of all is divided wherever it has several PEs.
  const bool divided_root = keys.size() <= leaf_bodies && divided.owner(0) != divided.owner(past_all_keys - 1);
  if (!divided_root) expect(made.cells == cells_of(keys, place{}), "the tree has too many or too few cells", count);
  expect(std::abs(made.mass - 1) < 1e-12, "mass was lost", count);

  const std::vector<group> groups = find_groups(bodies, made.border_cells, group_bodies);
  std::size_t next = 0;
  for (const group& g : groups) {
    expect(g.first == next, "the groups do not follow one another", count);
    next += g.count;
  }
  expect(next == bodies.size(), "the groups are not all bodies", count);

  const std::int64_t mine = co_await find_forces(&bodies, &groups, made.root);
  const std::int64_t interactions = co_await all_reduce(mine, reduce::plus);
  expect(interactions == count * count, "not every body has met every body once", count);
  const double error = co_await force_error(&bodies, count, count, rules_here().softening);
  expect(error < 1e-12, "the forces are not the direct sums", count);
  co_await check_deep_stacks(&bodies, made.root, count);
  co_await barrier();
  dissolve(made);
}

task<int> program(arguments) {
  rules_here() = {1e-9, 1e-3, leaf_bodies};
  for (const std::int64_t count : {1, 2, 5, 40, 1000}) co_await check_tree(count);
  if (this_pe() == 0) std::printf("tree_test: all bodies were found\n");
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
