// Promise: a large value that somebody still reads counts until nobody does, and what is stored never exceeds its
// limit.
#include "apps/kv/store.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace kv {
namespace {

const std::string large(8000, 'x');

TEST(store, shares_large_values_only) {
  store on(1, 100'000);
  EXPECT_EQ(on.share("a", 1), nullptr);
  EXPECT_TRUE(on.set("a", large, store::never, 1));
  EXPECT_TRUE(on.set("b", "small", store::never, 1));
  ASSERT_NE(on.share("a", 1), nullptr);
  EXPECT_EQ(on.share("a", 1).get(), on.find("a", 1));
  EXPECT_EQ(*on.share("a", 1), large);
  EXPECT_EQ(on.share("b", 1), nullptr);
  EXPECT_EQ(on.share("c", 1), nullptr);
  EXPECT_TRUE(on.set("a", "small", store::never, 1));
  EXPECT_EQ(on.share("a", 1), nullptr);
  EXPECT_EQ(*on.find("a", 1), "small");
}

TEST(store, what_is_read_counts_until_it_has_been_read) {
  store on(1, 10'000);
  EXPECT_TRUE(on.set("a", large, store::never, 1));
  const std::size_t with_one = on.bytes();
  EXPECT_TRUE(on.set("a", large, store::never, 1));  // nobody has the old one
  EXPECT_EQ(on.bytes(), with_one);
  std::shared_ptr<const std::string> reader = on.share("a", 1);
  EXPECT_FALSE(on.set("a", large, store::never, 1));
  EXPECT_EQ(*on.find("a", 1), large);
  EXPECT_TRUE(on.remove("a", 1));
  EXPECT_EQ(on.bytes(), large.size());
  EXPECT_FALSE(on.set("b", large, store::never, 1));
  EXPECT_EQ(*reader, large);
  reader = nullptr;
  EXPECT_EQ(on.bytes(), 0U);
  EXPECT_TRUE(on.set("b", large, store::never, 1));
  reader = on.share("b", 1);
  on.clear();
  EXPECT_EQ(on.bytes(), large.size());
}

TEST(store, what_is_kept_for_a_reader_counts) {
  auto on = std::make_unique<store>(1, 10'000);
  std::shared_ptr<const std::string> reply = on->keep(large);
  EXPECT_EQ(on->bytes(), large.size());
  EXPECT_FALSE(on->set("a", large, store::never, 1));
  on = nullptr;  // which the reader may outlive
  EXPECT_EQ(*reply, large);
}

TEST(store, a_large_value_has_its_time) {
  store on(1, 100'000);
  EXPECT_TRUE(on.set("a", large, 5, 1));
  EXPECT_NE(on.share("a", 5), nullptr);
  EXPECT_EQ(on.share("a", 6), nullptr);
  EXPECT_EQ(on.bytes(), 0U);
}

}  // namespace
}  // namespace kv
