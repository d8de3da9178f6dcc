#include "eulash/source/edits.hpp"

#include <gtest/gtest.h>

namespace eulash {
namespace {

TEST(edits, nest_as_ranges_do_whatever_their_order) {
  edits e;
  e.wrap("f", 0, 1, "<", ">");
  e.wrap("f", 0, 4, "(", ")");
  e.wrap("f", 3, 4, "[", "]");
  EXPECT_EQ(e.apply("f", "a->b;"), "(<a>->[b]);");
}

TEST(edits, make_the_same_change_once) {
  edits e;
  e.wrap("f", 0, 1, "<", ">");
  e.wrap("f", 0, 1, "<", ">");
  EXPECT_EQ(e.apply("f", "a"), "<a>");
}

TEST(edits, replace_a_token_within_a_range) {
  edits e;
  e.wrap("f", 0, 5, "S(", ")");
  e.replace("f", 2, 3, ",");
  EXPECT_EQ(e.apply("f", "x = y\n"), "S(x , y)\n");
  EXPECT_EQ(e.apply("other", "x = y\n"), "x = y\n");
}

TEST(edits, insert_at_the_end_and_where_nothing_is_taken) {
  edits e;
  e.wrap("f", 2, 2, "one ", "");
  e.wrap("f", 2, 2, "two", "");
  e.replace("f", 0, 0, "zero ");
  EXPECT_EQ(e.apply("f", "x "), "zero x one two");
}

}  // namespace
}  // namespace eulash
