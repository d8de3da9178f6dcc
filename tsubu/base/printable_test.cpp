// Promise: text from outside can neither begin a line of its own nor speak to the terminal.
#include "tsubu/base/printable.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tsubu;
using namespace std::string_view_literals;

TEST(printable, what_can_be_read_stays) { EXPECT_EQ(one_line("a 'b' \xc3\xa4 ~"), "a 'b' \xc3\xa4 ~"); }

TEST(printable, control_characters_are_spelled) {
  EXPECT_EQ(one_line("a\nb\tc\x1b[31m\x7f\0."sv), "a\\nb\\tc\\x1b[31m\\x7f\\x00.");
}

TEST(printable, lines_of_a_message_stay) { EXPECT_EQ(printable_lines("a\nb\x1b\r"), "a\nb\\x1b\\x0d"); }

}  // namespace
