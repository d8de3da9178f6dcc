// Promise: what is owned ends once, when its owner does or takes something else; ownership moves, and is taken over
// from a std::unique_ptr. Method: objects that count how many of them there are.
#include "tsubu/base/owned.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace tsubu::detail {
namespace {

struct counted {
  static inline int alive = 0;
  int value = 0;
  counted() { ++alive; }
  explicit counted(int v) : value(v) { ++alive; }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  virtual ~counted() { --alive; }
};
struct derived final : counted {
  using counted::counted;
};

TEST(owned, ends_with_its_owner) {
  {
    const owned<counted> nothing;
    EXPECT_TRUE(nothing == nullptr);
    const owned<counted> one = std::make_unique<derived>(7);
    EXPECT_EQ(one->value, 7);
    EXPECT_EQ(counted::alive, 1);
  }
  EXPECT_EQ(counted::alive, 0);
}

TEST(owned, takes_another_and_ends_the_first) {
  owned<counted> one = std::make_unique<counted>(1);
  one = std::make_unique<counted>(2);
  EXPECT_EQ(counted::alive, 1);
  owned<counted> other = std::move(one);
  EXPECT_TRUE(one == nullptr);  // NOLINT(bugprone-use-after-move): it owns nothing then, as promised
  EXPECT_EQ((*other).value, 2);
  other.reset();
  EXPECT_EQ(counted::alive, 0);
  EXPECT_EQ(other.get(), nullptr);
}

TEST(owned_array, ends_with_its_owner) {
  {
    owned_array<counted> some = std::make_unique<counted[]>(3);
    some[2].value = 5;
    EXPECT_EQ(counted::alive, 3);
    owned_array<counted> others = std::move(some);
    EXPECT_TRUE(some == nullptr);  // NOLINT(bugprone-use-after-move): as above
    EXPECT_EQ(others[2].value, 5);
    others = std::make_unique<counted[]>(2);
    EXPECT_EQ(counted::alive, 2);
  }
  EXPECT_EQ(counted::alive, 0);
}

}  // namespace
}  // namespace tsubu::detail
