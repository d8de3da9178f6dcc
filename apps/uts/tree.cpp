#include "apps/uts/tree.hpp"

#include <nettle/sha1.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace uts {

namespace {

// No node of the benchmark has more children, but for a binomial tree's root.
constexpr int most_children = 100;

void put_big_endian(std::uint32_t value, std::uint8_t* to) {
  for (int i = 0; i < 4; ++i) to[i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

std::array<std::uint8_t, 20> digest_of(const std::uint8_t* bytes, std::size_t count) {
  sha1_ctx state;
  sha1_init(&state);
  sha1_update(&state, count, bytes);
  std::array<std::uint8_t, 20> digest;
  sha1_digest(&state, digest.size(), digest.data());
  return digest;
}

// The digest as a number of [0, 1): its last 31 bits.
double chance(const node& at) {
  std::uint32_t bits = 0;
  for (std::size_t i = 16; i < 20; ++i) bits = bits << 8 | at.digest[i];
  return (bits & 0x7fffffffU) / 2147483648.0;
}

double average(const shape& of, std::int32_t height) {
  const double down = static_cast<double>(height) / of.depth;
  if (height == 0) return of.b;
  switch (of.children) {
    case branching::linear:
      return of.b * (1 - down);
    case branching::cyclic:
      return height > 5 * of.depth ? 0 : std::pow(of.b, std::sin(2 * std::numbers::pi * down));
    default:
      return height < of.depth ? of.b : 0;
  }
}

bool binomial_at(const shape& of, std::int32_t height) {
  return of.children == branching::binomial || (of.hybrid && 2 * height >= of.depth);
}

}  // namespace

const std::vector<sample>& samples() {
  using enum branching;
  static const std::vector<sample> all{
      {{.name = "T1", .children = fixed, .b = 4, .depth = 10, .seed = 19}, {4130071, 3305118, 10}},
      {{.name = "T1L", .children = fixed, .b = 4, .depth = 13, .seed = 29}, {102181082, 81746377, 13}},
      {{.name = "T2", .children = cyclic, .b = 6, .depth = 16, .seed = 502}, {4117769, 2342762, 81}},
      {{.name = "T3", .children = binomial, .b = 2000, .depth = 0, .seed = 42, .q = 0.124875, .m = 8},
       {4112897, 3599034, 1572}},
      {{.name = "T4", .children = linear, .b = 6, .depth = 16, .seed = 1, .q = 0.234375, .m = 4, .hybrid = true},
       {4132453, 3108986, 134}},
      {{.name = "T5", .children = linear, .b = 4, .depth = 20, .seed = 34}, {4147582, 2181318, 20}}};
  return all;
}

const sample* find_sample(std::string_view name) {
  for (const sample& one : samples())
    if (one.tree.name == name) return &one;
  return nullptr;
}

std::string names_of_samples() {
  std::string names;
  for (const sample& one : samples()) names += (names.empty() ? "" : ", ") + std::string(one.tree.name);
  return names;
}

node root(const shape& of) {
  std::array<std::uint8_t, 20> start{};
  put_big_endian(of.seed, &start[16]);
  return {digest_of(start.data(), start.size()), 0};
}

int child_count(const shape& of, const node& parent) {
  if (binomial_at(of, parent.height)) {
    if (of.children == branching::binomial && parent.height == 0) return static_cast<int>(of.b);
    return chance(parent) < of.q ? of.m : 0;
  }
  // The inverse of the geometric distribution with that average.
  const double end = 1 / (1 + average(of, parent.height));
  const double count = std::floor(std::log(1 - chance(parent)) / std::log(1 - end));
  return static_cast<int>(std::min<double>(count, most_children));
}

node child(const node& parent, int number) {
  std::array<std::uint8_t, 24> from;
  std::copy(parent.digest.begin(), parent.digest.end(), from.begin());
  put_big_endian(static_cast<std::uint32_t>(number), &from[20]);
  return {digest_of(from.data(), from.size()), parent.height + 1};
}

tally search(const shape& of) {
  tally found;
  std::vector<node> open{root(of)};
  while (!open.empty()) {
    const node at = open.back();
    open.pop_back();
    const int children = child_count(of, at);
    found = sum(found, {1, children == 0 ? 1 : 0, at.height});
    for (int i = 0; i < children; ++i) open.push_back(child(at, i));
  }
  return found;
}

}  // namespace uts
