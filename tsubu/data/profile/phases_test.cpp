#include "tsubu/data/profile/phases.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tsubu::data {
namespace {

constexpr std::uint32_t barrier = 0, all_reduce = 3;

TEST(Phases, KeepsAllOfAShortJob) {
  phases p;
  for (int i = 0; i < 100; ++i) p.add(10, {1, 2}, 3, barrier);
  EXPECT_EQ(p.kept().size(), 100U);
  EXPECT_EQ(p.count(), 100U);
  EXPECT_EQ(p.waited_ns(), (waited{100, 200}));
  EXPECT_EQ(p.kept()[99].number, 99U);
  EXPECT_EQ(p.kept()[99].span_ns, 10);
  EXPECT_EQ(p.kept()[99].idle_ns, 3);
}

TEST(Phases, KeepsAsManyOfALongJobAndTheSameOnAllPEs) {
  phases p, other;
  constexpr std::uint64_t many = 100'000;
  for (std::uint64_t i = 0; i < many; ++i) {
    p.add(10, {}, 0, barrier);
    other.add(static_cast<std::int64_t>(i), {7, 0}, 0, barrier);
    ASSERT_LE(p.kept().size(), phases::most_kept);
  }
  ASSERT_GE(p.kept().size(), phases::most_kept / 4);
  ASSERT_EQ(p.kept().size(), other.kept().size());
  std::uint64_t odd = 0, late = 0;
  for (std::size_t i = 0; i < p.kept().size(); ++i) {
    EXPECT_EQ(p.kept()[i].number, other.kept()[i].number);
    odd += p.kept()[i].number % 2;
    late += p.kept()[i].number >= many / 2 ? 1 : 0;
  }
  // From all parts of the job, and of a loop.
  EXPECT_NEAR(static_cast<double>(odd), static_cast<double>(p.kept().size()) / 2, 50);
  EXPECT_NEAR(static_cast<double>(late), static_cast<double>(p.kept().size()) / 2, 50);
}

TEST(Phases, KnowsInWhatOrderThePEsHaveMet) {
  std::set<std::uint64_t> orders;
  for (const auto& kinds : {std::array{barrier, all_reduce}, {all_reduce, barrier}, {barrier, barrier}}) {
    phases p;
    for (const std::uint32_t kind : kinds) p.add(1, {}, 0, kind);
    orders.insert(p.order());
  }
  EXPECT_EQ(orders.size(), 3U);
}

}  // namespace
}  // namespace tsubu::data
