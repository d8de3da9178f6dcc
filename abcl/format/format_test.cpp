// Promise: layout changes nothing but spaces: the forms and the comments are the same, what is laid out once stays as
// it is, and comments keep their lines. Method: chosen texts, and random ones with a printed seed.
#include "abcl/format/format.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "tsubu/base/random.hpp"

namespace abcl {
namespace {

std::string laid_out(const std::string& text) {
  const source from("x", text);
  diagnostics said;
  const forms read = abcl::read(from, said);
  EXPECT_FALSE(said.any_errors()) << text;
  return formatted(from, read);
}

TEST(layout, indents_bodies_by_two) {
  EXPECT_EQ(laid_out("[class A (obj []) ()\n(script\n(=> []\n(print 1)))]"),
            "[class A (obj []) ()\n  (script\n    (=> []\n      (print 1)))]\n");
  EXPECT_EQ(laid_out("(if a\n!b\n!(match c\n(=> [x]\nx)))"), "(if a\n  !b\n  !(match c\n    (=> [x]\n      x)))\n");
}

TEST(layout, indents_declarations_of_cpp_by_two) {
  EXPECT_EQ(
      laid_out(
          "(foreign \"a.hpp\" \"a.cpp\"\n (function (f (Int n)) Int \"ns::f\")\n [class C (obj []) ()\n\"ns::c\"])"),
      "(foreign \"a.hpp\" \"a.cpp\"\n  (function (f (Int n)) Int \"ns::f\")\n  [class C (obj []) ()\n    "
      "\"ns::c\"])\n");
}

TEST(layout, indents_named_types_by_two) {
  EXPECT_EQ(laid_out("(type  Sink\n(obj [:put Int]\n[:close]))"), "(type Sink\n  (obj [:put Int]\n       [:close]))\n");
}

TEST(layout, puts_arguments_below_the_first) {
  EXPECT_EQ(laid_out("(print a\nb)"), "(print a\n       b)\n");
  EXPECT_EQ(laid_out("(new C a\nb)"), "(new C a\n       b)\n");
  EXPECT_EQ(laid_out("(let ((Int a 1)\n(Int b 2))\na)"), "(let ((Int a 1)\n      (Int b 2))\n  a)\n");
  EXPECT_EQ(laid_out("[a <=\n[:m]]"), "[a <=\n  [:m]]\n");
}

TEST(layout, keeps_comments) {
  EXPECT_EQ(laid_out(";; a\n\n\n\n(b   c) ; d\n; e"), ";; a\n\n(b c)  ; d\n; e\n");
  EXPECT_EQ(laid_out("(a ; why\n)"), "(a  ; why\n)\n");
  EXPECT_EQ(laid_out("(a\n; why\nb)"), "(a\n ; why\n b)\n");
}

TEST(layout, breaks_long_lines) {
  std::string text = "(print";
  for (int i = 0; i < 60; ++i) text += " value-" + std::to_string(i);
  const std::string out = laid_out(text + ")");
  for (std::size_t begin = 0; begin < out.size();) {
    const std::size_t end = out.find('\n', begin);
    EXPECT_LE(end - begin, static_cast<std::size_t>(line_width));
    begin = end + 1;
  }
  EXPECT_EQ(laid_out(out), out);
}

// All but spaces, and the line ends that end comments.
std::string essence(const std::string& text) {
  const source from("x", text);
  diagnostics said;
  const forms read = abcl::read(from, said);
  std::string out;
  const std::function<void(const form&)> add = [&](const form& f) {
    out += f.is(form::kind::round) ? "(" : f.is(form::kind::square) ? "[" : f.is(form::kind::reply) ? "!" : "";
    if (!f.is(form::kind::round) && !f.is(form::kind::square) && f.parts.empty())
      out += std::string(from.text(f.where)) + " ";
    for (const form& part : f.parts) add(part);
    out += f.is(form::kind::round) ? ")" : f.is(form::kind::square) ? "]" : "";
  };
  for (const form& f : read.all) add(f);
  for (const comment& c : read.comments) out += std::string(from.text(c.where)) + "\n";
  return out;
}

class random_text {
 public:
  explicit random_text(unsigned seed) : chance_(seed) {}

  std::string make() {
    std::string out;
    for (auto n = 1 + chance_() % 4; n > 0; --n) out += form(0) + space();
    return out;
  }

 private:
  std::string space() {
    static const std::vector<std::string> all = {" ", " ", " ", "\n", "\n\n", "  ", "\n ; c\n", " ; d\n", "\n\n\n"};
    return all[chance_() % all.size()];
  }
  std::string form(int depth) {
    static const std::vector<std::string> words = {"a",     "if",
                                                   "let",   "=>",
                                                   "<=",    ":=",
                                                   "where", "script",
                                                   "new",   ":m",
                                                   "12",    "\"text with spaces\"",
                                                   "begin", "a-name-of-some-length",
                                                   "match"};
    const auto kind = chance_() % 8;
    if (depth > 5 || kind < 4) return words[chance_() % words.size()];
    if (kind == 4) return "!" + form(depth + 1);
    std::string out = kind == 5 ? "[" : "(";
    if (chance_() % 5 == 0) out += space();
    for (auto n = chance_() % 6; n > 0; --n) out += form(depth + 1) + space();
    return out + (kind == 5 ? "]" : ")");
  }

  std::mt19937 chance_;
};

TEST(layout, changes_nothing_but_spaces_and_is_idempotent) {
  const auto seed = static_cast<unsigned>(tsubu::fresh_seed());
  random_text texts(seed);
  for (int i = 0; i < 3000; ++i) {
    const std::string text = texts.make();
    const std::string once = laid_out(text);
    ASSERT_EQ(essence(once), essence(text)) << "seed " << seed << ":\n" << text << "\nbecame\n" << once;
    ASSERT_EQ(laid_out(once), once) << "seed " << seed << ":\n" << text;
  }
}

}  // namespace
}  // namespace abcl
