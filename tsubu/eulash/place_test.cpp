#include "tsubu/eulash/place.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tsubu::placed {
namespace {

TEST(place, is_shown_as_a_line_of_cpp_is) {
  const eulash_place in_c{"prog.c", "work", 12, 3};
  const std::source_location at = source_location_of(in_c);
  EXPECT_EQ(std::string(at.file_name()), "prog.c");
  EXPECT_EQ(std::string(at.function_name()), "work");
  EXPECT_EQ(at.line(), 12U);
  EXPECT_EQ(at.column(), 3U);
}

}  // namespace
}  // namespace tsubu::placed
