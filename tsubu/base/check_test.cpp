#include "tsubu/base/check.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tsubu {
namespace {

TEST(check, a_message_is_made_only_when_the_condition_fails) {
  int made = 0;
  require(true, "{}", [&] {
    ++made;
    return std::string("text");
  });
  EXPECT_EQ(made, 0);
}

TEST(check_death, arguments_stand_in_their_places) {
  const std::string name = "crawler";
  const std::uint64_t big = ~std::uint64_t{0};
  EXPECT_EXIT(require(name.empty(), "PE {} has {} of {}: {}.", 3, big, name, [&] { return "a " + name; }),
              testing::ExitedWithCode(exit_code::failed), "PE 3 has 18446744073709551615 of crawler: a crawler\\. \\(");
}

TEST(check_death, the_place_is_the_caller_s) {
  EXPECT_EXIT(require(false, "nothing else"), testing::ExitedWithCode(exit_code::failed),
              "tsubu: nothing else \\(.*check_test.cpp:[0-9]+\\)");
}

// A value may itself hold what looks like a place.
TEST(check_death, braces_in_a_value_are_only_text) {
  EXPECT_EXIT(require(false, "got {} and {}", "{}", 7), testing::ExitedWithCode(exit_code::failed),
              "got \\{\\} and 7 ");
}

}  // namespace
}  // namespace tsubu
