// Promise: each number that the compiler tells has an explanation, once, with a wrong program and what to write
// instead.
#include "abcl/text/catalog.hpp"

#include <gtest/gtest.h>

namespace abcl {
namespace {

TEST(catalog, is_in_order_and_complete) {
  int last = 0;
  for (const explanation& e : explanations()) {
    EXPECT_LT(last, e.number) << e.title;
    last = e.number;
    EXPECT_EQ(find_explanation(e.number), &e);
    EXPECT_FALSE(e.text.starts_with('\n')) << e.title;
    EXPECT_TRUE(e.text.ends_with('\n')) << e.title;
    const bool shows = e.text.find("Right:") != e.text.npos || e.text.find("Better:") != e.text.npos;
    EXPECT_TRUE(shows) << e.title << " says not what to write instead";
  }
  EXPECT_EQ(find_explanation(0), nullptr);
  EXPECT_EQ(find_explanation(999), nullptr);
}

}  // namespace
}  // namespace abcl
