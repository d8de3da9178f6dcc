// Promise: a program with more types of messages than the machine has numbers for is refused, with the place of the
// first that is too many.
#include "abcl/messages/tables.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace abcl::messages {
namespace {

TEST(tables, one_message_too_many_is_refused_where_it_stands) {
  sources texts;
  texts.add("many.abcl", "first\nsecond\n");
  constexpr span first{0, 5}, second{6, 12};
  std::vector<std::string> tags;  // types look at them for as long as they live
  for (int i = 0; i < code::most_selectors; ++i) tags.push_back(":" + std::to_string(i));
  type_table types;
  tables of(texts, everything);
  for (int i = 0; i < code::most_selectors; ++i) {
    const auto number = static_cast<std::size_t>(i);
    ASSERT_EQ(of.selector(types.message(":m", {types.message(tags[number], {})}), first), i);
  }
  ASSERT_EQ(of.selector(types.message(":m", {types.message(":0", {})}), second), 0)
      << "one that is known has its number";
  try {
    of.selector(types.message(":more", {types.integer}), second);
    FAIL() << "it has been given a number";
  } catch (const std::length_error& e) {
    EXPECT_STREQ(e.what(),
                 "many.abcl:2: expected 32768 types of messages at most in a program; [:more Int] is one more");
  }
}

}  // namespace
}  // namespace abcl::messages
