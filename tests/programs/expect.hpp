// What the test programs share: a check that ends the job and says where, and their random seed.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "tsubu/tsubu.hpp"

inline void expect(bool holds, const std::string& what, std::source_location where = std::source_location::current()) {
  if (!holds) tsubu::fail("expected: " + what, where);
}

template <class A, class B>
void expect_equal(const A& found, const B& wanted, const std::string& what,
                  std::source_location where = std::source_location::current()) {
  if (found == static_cast<A>(wanted)) return;
  if constexpr (std::is_arithmetic_v<A>) {
    tsubu::fail(what + " is " + std::to_string(found) + ", expected " + std::to_string(wanted), where);
  } else {
    tsubu::fail(what + " is wrong", where);
  }
}

// The number that follows `name` among the arguments.
inline std::uint64_t option(const tsubu::arguments& args, const std::string& name, std::uint64_t otherwise) {
  for (std::size_t i = 1; i + 1 < args.size(); ++i) {
    if (args[i] == name) return std::strtoull(args[i + 1].c_str(), nullptr, 10);
  }
  return otherwise;
}

// A generator of its own for each PE. --seed N repeats a run.
inline std::mt19937_64 seeded(const tsubu::arguments& args) {
  const std::uint64_t seed = option(args, "--seed", 1);
  if (tsubu::this_pe() == 0) std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  return std::mt19937_64(seed * 1000 + static_cast<std::uint64_t>(tsubu::this_pe()));
}

inline std::size_t below(std::mt19937_64& random, std::size_t n) { return static_cast<std::size_t>(random() % n); }
