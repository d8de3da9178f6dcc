// Promise: a literal's offset finds its text again, and no offset does harm.
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

TEST(program_text, a_literal_is_found_by_its_offset) {
  const char* const file = std::source_location::current().file_name();
  const std::int32_t offset = program_offset(file);
  EXPECT_GT(offset, 0);
  EXPECT_EQ(text_at(offset), file);
}

TEST(program_text, what_is_elsewhere_has_none) {
  const auto heap = std::make_unique<char[]>(16);
  char stack[] = "text";
  EXPECT_EQ(text_at(program_offset(stack)), "an unknown file");
  (void)text_at(program_offset(heap.get()));  // a heap may be just behind the program
  EXPECT_EQ(text_at(0), "an unknown file");
}

TEST(program_text, any_offset_is_safe) {
  random_source random(1);
  for (int i = 0; i < 100'000; ++i) (void)text_at(static_cast<std::int32_t>(random()));
  for (std::int32_t near = 0; near < 100'000; ++near) (void)text_at(near * 64);
  EXPECT_EQ(text_at(std::numeric_limits<std::int32_t>::min()), "an unknown file");
}

}  // namespace
}  // namespace tsubu
