// Promise: a copy stays as it was, however the one that it was made of grows or changes, and shares what they have in
// common. Method: versions of a sequence that grows past several parts, each compared with a plain one.
#include "abcl/code/shared_vector.hpp"

#include <gtest/gtest.h>

#include <string>

namespace abcl::code {
namespace {

std::vector<std::string> all_of(const shared_vector<std::string>& of) {
  std::vector<std::string> all;
  for (const std::string& each : of) all.push_back(each);
  EXPECT_EQ(all.size(), of.size());
  return all;
}

TEST(SharedVector, VersionsStayAsTheyWere) {
  shared_vector<std::string> now;
  EXPECT_TRUE(now.empty());
  std::vector<shared_vector<std::string>> versions;
  std::vector<std::string> plain;
  for (int i = 0; i < 200; ++i) {
    versions.push_back(now);
    now.push_back(std::to_string(i));
  }
  for (std::size_t i = 0; i < versions.size(); ++i) {
    EXPECT_EQ(all_of(versions[i]), plain);
    plain.push_back(std::to_string(i));
  }
  EXPECT_EQ(all_of(now), plain);
}

TEST(SharedVector, CopiesMayGrowApart) {
  shared_vector<std::string> one;
  one.push_back("a");
  shared_vector<std::string> other = one;
  one.push_back("b");
  other.push_back("c");
  EXPECT_EQ(all_of(one), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(all_of(other), (std::vector<std::string>{"a", "c"}));
}

TEST(SharedVector, ChangesAreNotOfCopies) {
  shared_vector<std::string> one;
  for (int i = 0; i < 100; ++i) one.push_back("a");
  const shared_vector<std::string> before = one;
  one.change(70) = "b";
  EXPECT_EQ(one[70], "b");
  EXPECT_EQ(before[70], "a");
  EXPECT_EQ(&one[3], &before[3]);  // in a part that nobody has changed
  EXPECT_NE(&one[71], &before[71]);
}

}  // namespace
}  // namespace abcl::code
