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

TEST(printable, other_characters_that_act_are_spelled) {
  EXPECT_EQ(one_line("\xc2\x9b"
                     "31m \xc2\x85 \xc2\xa0"),
            "\\xc2\\x9b31m \\xc2\\x85 \xc2\xa0");  // C1; a space of Latin 1
  EXPECT_EQ(one_line("\xef\xbb\xbf"
                     "0 1"),
            "\\xef\\xbb\\xbf0 1");  // a byte order mark
  EXPECT_EQ(one_line("a\xe2\x80\xa8"
                     "b\xe2\x80\xae"
                     "c"),
            "a\\xe2\\x80\\xa8b\\xe2\\x80\\xaec");  // a line; right to left
  EXPECT_EQ(one_line("\xe2\x80\x99 \xe6\xbc\xa2 \xf0\x9f\x90\xab"), "\xe2\x80\x99 \xe6\xbc\xa2 \xf0\x9f\x90\xab");
}

// A byte of 0x80 to 0x9f is a control character of a terminal that does not expect UTF-8.
TEST(printable, what_is_no_utf_8_is_spelled) {
  EXPECT_EQ(one_line("\x9b"
                     "31m"),
            "\\x9b31m");
  EXPECT_EQ(one_line("\xe4 \xc3"), "\\xe4 \\xc3");                             // Latin 1; cut short
  EXPECT_EQ(one_line("\xc0\x9b \xe0\x82\x9b"), "\\xc0\\x9b \\xe0\\x82\\x9b");  // longer than it need be
  EXPECT_EQ(one_line("\xed\xa0\x80 \xf5\x80\x80\x80"), "\\xed\\xa0\\x80 \\xf5\\x80\\x80\\x80");
}

TEST(printable, lines_of_a_message_stay) { EXPECT_EQ(printable_lines("a\nb\x1b\r"), "a\nb\\x1b\\x0d"); }

TEST(printable, marked_lines_keep_their_width) {
  EXPECT_EQ(masked_line("a\tb\x1b\xc2\x9b\x9b\xc3\xa4"), "a b???\xc3\xa4");
}

}  // namespace
