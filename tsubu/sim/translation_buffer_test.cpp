// Promise: a buffer of n pages has the n that were used last.
#include "tsubu/sim/translation_buffer.hpp"

#include <gtest/gtest.h>

namespace tsubu::sim {
namespace {

TEST(translation_buffer, has_the_pages_that_were_used_last) {
  translation_buffer buffer(3);
  for (const std::uint64_t page : {1U, 2U, 3U}) EXPECT_FALSE(buffer.use(page));
  for (const std::uint64_t page : {1U, 3U, 2U, 1U}) EXPECT_TRUE(buffer.use(page));
  EXPECT_FALSE(buffer.use(4));
  EXPECT_FALSE(buffer.use(3)) << "3 was not used for longest";
  for (const std::uint64_t page : {1U, 4U, 3U}) EXPECT_TRUE(buffer.use(page));
  EXPECT_FALSE(buffer.use(2));
  EXPECT_EQ(buffer.hits(), 7U);
  EXPECT_EQ(buffer.misses(), 6U);
}

TEST(translation_buffer, of_one_page_misses_whenever_the_page_changes) {
  translation_buffer buffer(1);
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(buffer.use(static_cast<std::uint64_t>(i % 2)));
  EXPECT_TRUE(buffer.use(1));
}

}  // namespace
}  // namespace tsubu::sim
