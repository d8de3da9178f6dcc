// Promise: what travels for a function is a number that means the same in every process of the same program, and a
// number whose function has other parameters is not taken. The latter is what parameters_match() decides.
#include "tsubu/mpc/functions.hpp"

#include <gtest/gtest.h>

namespace tsubu::mpc {
namespace {

TEST(functions, parameters_must_be_those_of_the_name) {
  EXPECT_TRUE(parameters_match("foo(int, int)", "(int, int)"));
  EXPECT_FALSE(parameters_match("foo(int, int)", "(int)"));
  EXPECT_FALSE(parameters_match("foo(int, int)", "(double, int)"));
  EXPECT_TRUE(parameters_match("foo()", "()"));
  EXPECT_FALSE(parameters_match("foo()", "(int)"));
  EXPECT_FALSE(parameters_match("", "()"));
}

TEST(functions, names_may_have_parentheses_of_their_own) {
  EXPECT_TRUE(parameters_match("(anonymous namespace)::foo(int)", "(int)"));
  EXPECT_TRUE(parameters_match("foo(void (*)(int))", "(void (*)(int))"));
  EXPECT_FALSE(parameters_match("foo(void (*)(int))", "(int)"));
  EXPECT_TRUE(parameters_match("mpc_main(int, char**)::{lambda(int)#1}::_FUN(int)", "(int)"));
}

TEST(functions, members_may_be_qualified) {
  EXPECT_TRUE(parameters_match("particle::where() const", "()"));
  EXPECT_TRUE(parameters_match("particle::where(double) const &", "(double)"));
}

TEST(functions, clones_count_as_their_original) {
  EXPECT_TRUE(parameters_match("foo(int) [clone .lto_priv.0]", "(int)"));
}

TEST(functions, instances_of_templates_are_not_checked) {
  EXPECT_TRUE(parameters_match("void foo<int>(std::vector<int>::size_type)", "(unsigned long)"));
}

}  // namespace
}  // namespace tsubu::mpc
