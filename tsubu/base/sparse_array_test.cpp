// Promise: a sparse array reads as an array does whose elements were all made at once, and says when too many are used.
// Method: random uses beside a plain array.
#include "tsubu/base/sparse_array.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tsubu {
namespace {

TEST(sparse_array, is_an_array) {
  std::mt19937 random(1);
  constexpr std::size_t size = 1000;
  sparse_array<int> sparse(size, 7);
  std::vector<int> plain(size, 7);
  EXPECT_EQ(sparse.size(), size);
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t at = random() % size;
    if (random() % 2 == 0) {
      const int value = static_cast<int>(random());
      sparse.use(at) = value;
      plain[at] = value;
    }
    ASSERT_EQ(sparse[at], plain[at]);
  }
}

TEST(sparse_array_death_test, says_when_too_many_are_used) {
  sparse_array<char> sparse(70'000);
  for (std::size_t i = 0; i < 65'535; ++i) sparse.use(i) = 'x';
  EXPECT_EXIT(sparse.use(65'535), testing::ExitedWithCode(1), "more than 65535 places of 70000 are in use");
}

}  // namespace
}  // namespace tsubu
