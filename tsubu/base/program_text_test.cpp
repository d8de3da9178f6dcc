// Promise: a literal's number finds its text again, and no number does harm.
#include "tsubu/base/program_text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <source_location>
#include <utility>

#include "tsubu/base/random.hpp"

namespace tsubu {
namespace {

TEST(program_text, types_have_their_names_in_the_source) {
  EXPECT_EQ(readable(typeid(std::pair<int, double>)), "std::pair<int, double>");
  EXPECT_EQ(readable("no mangled name"), "no mangled name");
}

TEST(program_text, a_literal_has_a_number) {
  const char* const file = std::source_location::current().file_name();
  const std::int32_t number = literal_number(file);
  EXPECT_GT(number, 0);
  EXPECT_EQ(literal_of(number), file);
}

TEST(program_text, what_is_elsewhere_has_none) {
  const auto heap = std::make_unique<char[]>(16);
  char stack[] = "text";
  EXPECT_EQ(literal_of(literal_number(stack)), "an unknown file");
  (void)literal_of(literal_number(heap.get()));  // a heap may be just behind the program
  EXPECT_EQ(literal_of(0), "an unknown file");
}

TEST(program_text, any_number_is_safe) {
  random_source random(1);
  for (int i = 0; i < 100'000; ++i) (void)literal_of(static_cast<std::int32_t>(random()));
  for (std::int32_t near = 0; near < 100'000; ++near) (void)literal_of(near * 64);
  EXPECT_EQ(literal_of(std::numeric_limits<std::int32_t>::min()), "an unknown file");
}

}  // namespace
}  // namespace tsubu
