// Promise: a line has its arguments where its braces are, in the form that they ask for; what is wrong with the number
// of braces does not compile, and what is wrong with a form ends the job with the line's place.
#include "tsubu/remote/printing/line_text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tsubu/base/check.hpp"

namespace tsubu::line_text_test {

struct board {
  int n;
};
std::string to_string(const board& b) { return "<" + std::to_string(b.n) + ">"; }

namespace {

template <class... A>
std::string line(detail::line_format<std::type_identity_t<A>...> format, const A&... arguments) {
  return detail::line_text(format.text, {detail::line_value(arguments)...}, format.where);
}

TEST(line_text, arguments_of_all_kinds) {
  const std::string text = "text";
  EXPECT_EQ(line("plain"), "plain");
  EXPECT_EQ(line(""), "");
  EXPECT_EQ(line("{} {} {} {}", -3, 4U, std::int64_t{1} << 62, ~std::uint64_t{0}),
            "-3 4 4611686018427387904 18446744073709551615");
  EXPECT_EQ(line("{} {} {}", true, false, 'c'), "true false c");
  EXPECT_EQ(line("{} {} {}", text, "literal", std::string_view("view")), "text literal view");
  EXPECT_EQ(line("{} {:.3f} {:.1e}", 0.5, 2.0F / 3, 12345.0), "0.5 0.667 1.2e+04");
  EXPECT_EQ(line("[{:>5}] [{:<5}] [{:05}] [{:x}]", 42, "ab", 7, 255), "[   42] [ab   ] [00007] [ff]");
  EXPECT_EQ(line("{{{}}} }}{{", 1), "{1} }{");
  EXPECT_EQ(line("{:.3f} {:>4} {:d}", [] { return 0.25; }, [] { return 7U; }, [] { return -8; }), "0.250    7 -8");
  EXPECT_EQ(line("{} {}", [] { return std::string_view("view"); }, [] { return board{4}; }), "view <4>");
  EXPECT_EQ(line("{} {}", 0.1f, static_cast<const char*>(nullptr)), "0.1 (null)");
  EXPECT_EQ(line("{} {}", board{3}, [] { return std::string("made"); }), "<3> made");
  EXPECT_EQ(line("{:>4}|{}", board{3}, [n = 4] { return n; }), " <3>|4");
  EXPECT_EQ(line("{}", static_cast<signed char>(-1)), "-1");
}

TEST(line_text, places) {
  EXPECT_EQ(detail::places_in("{} {:>3} {{}} {:.2f}"), 3);
  for (const char* wrong : {"{", "}", "{0}", "{x}", "{:{}}", "{} }", "{{}", "a } b", "{:3"}) {
    SCOPED_TRACE(wrong);
    EXPECT_EQ(detail::places_in(wrong), -1);
  }
}

TEST(line_text_death, a_form_that_does_not_fit) {
  EXPECT_EXIT(line("{} and {:d}", 1, "text"), testing::ExitedWithCode(exit_code::failed),
              "the line \"\\{\\} and \\{:d\\}\" does not fit its arguments: .*line_text_test.cpp:[0-9]+");
}

}  // namespace
}  // namespace tsubu::line_text_test
