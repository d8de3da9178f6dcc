// Promise: the reader gives each form its place and value; what is wrong with brackets is told once, where it is, and
// the definitions behind are read all the same. Method: small texts, and random ones of brackets with a printed seed.
#include <gtest/gtest.h>

#include <random>

#include "abcl/read/form.hpp"
#include "tsubu/base/random.hpp"

namespace abcl {
namespace {

struct reading {
  source from;
  diagnostics said;
  forms read;

  explicit reading(std::string text) : from("x", std::move(text)), read(abcl::read(from, said)) {}
};

// The forms as text again, without spaces that mean nothing.
std::string shown(const form& f, const source& from) {
  if (f.is(form::kind::reply)) return "!" + shown(f.parts[0], from);
  if (!f.is(form::kind::round) && !f.is(form::kind::square)) return std::string(from.text(f.where));
  std::string out = f.is(form::kind::round) ? "(" : "[";
  for (const form& part : f.parts) out += (out.size() > 1 ? " " : "") + shown(part, from);
  return out + (f.is(form::kind::round) ? ")" : "]");
}

std::string read_back(const std::string& text) {
  const reading r(text);
  std::string out;
  for (const form& f : r.read.all) out += (out.empty() ? "" : " ") + shown(f, r.from);
  return out;
}

TEST(reader, keeps_the_structure) {
  EXPECT_EQ(read_back("[ a<=[ :m 1 ]$f ]"), "[a<= [:m 1] $ f]");
  EXPECT_EQ(read_back("(print \"a ; b\" !x) ; (no form)"), "(print \"a ; b\" !x)");
  EXPECT_EQ(read_back("![]!!1"), "![] !!1");
  EXPECT_EQ(read_back("next-obj(a)b"), "next-obj (a) b");
}

TEST(reader, knows_numbers_from_names) {
  const reading r("1 -2 +3 4.5 -.5 1e3 - + -x 9223372036854775807 -9223372036854775808");
  ASSERT_EQ(r.read.all.size(), 11U);
  EXPECT_EQ(r.read.all[1].integer, -2);
  EXPECT_EQ(r.read.all[2].integer, 3);
  EXPECT_EQ(r.read.all[3].real, 4.5);
  EXPECT_EQ(r.read.all[4].real, -0.5);
  EXPECT_EQ(r.read.all[5].real, 1000);
  for (const int name : {6, 7, 8})
    EXPECT_TRUE(r.read.all[static_cast<std::size_t>(name)].is(form::kind::symbol)) << name;
  EXPECT_EQ(r.read.all[10].integer, INT64_MIN);
  EXPECT_FALSE(r.said.any_errors());
  for (const char* wrong : {"9223372036854775808", "1e999", "1x", "0x10", "1.2.3"})
    EXPECT_EQ(reading(wrong).said.errors(), 1) << wrong;
}

TEST(reader, reads_strings) {
  const reading r(R"("a\n\t\"\\" "open)");
  EXPECT_EQ(r.read.all[0].text, "a\n\t\"\\");
  EXPECT_EQ(r.said.errors(), 1);
}

TEST(reader, says_once_what_is_wrong_with_brackets) {
  for (const char* wrong : {"[class A (obj []) (", "(a]", "[a)", "a)", "(a))", "((a]", "(a (b]", "[[[", "!"})
    EXPECT_EQ(reading(wrong).said.errors(), 1) << wrong;
  const reading r("[class A (obj\n[class B (obj) ()]\n");
  EXPECT_EQ(r.said.errors(), 1);
  ASSERT_EQ(r.read.all.size(), 2U);
  EXPECT_TRUE(r.read.damaged[0]);
  EXPECT_FALSE(r.read.damaged[1]);
}

TEST(reader, nests_so_deep_and_no_deeper) {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '(') + std::string(static_cast<std::size_t>(depth), ')');
  };
  EXPECT_FALSE(reading(nested(most_nested)).said.any_errors());
  EXPECT_TRUE(reading(nested(most_nested + 1)).said.any_errors());
  EXPECT_TRUE(reading(std::string(1'000'000, '!')).said.any_errors());
}

TEST(reader, survives_any_text) {
  const auto seed = static_cast<unsigned>(tsubu::fresh_seed());
  RecordProperty("seed", static_cast<int>(seed));
  std::mt19937 chance(seed);
  const std::string letters = "()[]!;\"$: \n\\a1-.<=@";
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (auto n = chance() % 40; n > 0; --n) text += letters[chance() % letters.size()];
    const reading r(text);
    ASSERT_EQ(r.read.all.size(), r.read.damaged.size()) << "seed " << seed << ": " << text;
    for (const form& f : r.read.all) {
      ASSERT_LE(f.where.end, text.size()) << "seed " << seed << ": " << text;
      ASSERT_LT(f.where.begin, f.where.end) << "seed " << seed << ": " << text;
    }
  }
}

}  // namespace
}  // namespace abcl
