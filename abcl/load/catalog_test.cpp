// Promise: each number that the compiler tells has an explanation, once, with a wrong fragment of a program, of which
// it tells that number and no other, and what to write instead, which it takes. Method: each fragment is made a
// program.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <vector>

#include "abcl/load/files.hpp"
#include "abcl/text/catalog.hpp"

namespace abcl {
namespace {

// ---- the fragments of an explanation: lines that are indented, behind one that ends with a colon

struct fragment {
  std::string what;  // "Wrong", "Better", ..
  std::string text;
};

std::vector<fragment> fragments_of(const explanation& e) {
  std::vector<fragment> all;
  std::string_view rest = e.text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    if (line.ends_with(':')) {
      all.push_back({std::string(line.substr(0, line.find_first_of(",:"))), ""});
    } else if (line.starts_with("  ")) {
      all.back().text += std::string(line.substr(2)) + '\n';
    }
  }
  return all;
}

// What cannot be printed, or would be too long, is described in the explanations.
std::string written_out(int number, std::string text) {
  const auto replace = [&](std::string_view what, const std::string& by) {
    if (const std::size_t at = text.find(what); at != std::string::npos) text.replace(at, what.size(), by);
  };
  if (number == 3) replace("^A", "\x01");
  if (number == 7) {
    std::string sum = "n";
    for (int i = 0; i < 500; ++i) sum = "(+ 1 " + sum + ")";
    replace("(+ 4 n)", sum);
  }
  if (number == 37) {
    std::string classes;
    for (int i = 0; i < 4080; ++i) classes += "[class Other" + std::to_string(i) + " (obj []) () (print 2)]\n";
    replace("[class Cell2 (obj []) () (print 2)]\n", classes);
  }
  return text;
}

// ---- a fragment as a program

// In the fragments, n is an Int and b a Buffer.
const std::string buffer =
    "[class Buffer (obj [:put Int (@ [])] [:get (@ Int)]) () (state (Int kept := 0))\n"
    " (script (==> [:put v] [kept := v] ![]) (==> [:get] !kept))]\n";

std::string main_with(const std::string& body) {
  return "[class Main (obj []) ((Int n)) (let ((Buffer b (new Buffer)))\n" + body +
         "(if (= b nil) (exit 1)))\n(exit 0)]\n";
}

std::string program_of(const std::string& text) {
  const auto begins_with = [&](auto... what) { return (text.starts_with(what) || ...); };
  const std::string before = text.find("buffer.abcl") == std::string::npos ? buffer : "";
  // What is about the outermost level stands there.
  if (begins_with("[class", "(function", "(foreign", "(use", "(type", "(print \"hello\")"))
    return before + text + (text.find("[class Main") == std::string::npos ? main_with("") : "");
  if (begins_with("(obj")) return before + "(function (all (" + text + " each)) Bool (= each nil))\n" + main_with("");
  if (begins_with("(==>", "(=>")) {
    const std::string interface = text.find(":stop") != std::string::npos ? "[:stop Int]" : "[:put Int (@ [])]";
    return before + "[class Taker (obj " + interface + ") () (state (Int kept := 0)) (script\n" + text + ")]\n" +
           main_with("(if (= (new Taker) nil) (exit 1))");
  }
  return before + main_with(text);
}

// The numbers of what is said, each once: of errors, and of warnings.
struct numbers {
  std::set<int> errors, warnings;
};
numbers said_of(const std::string& program) {
  loaded l = load_text(testing::TempDir() + "catalog.abcl", program);
  require_main(l);
  numbers all;
  for (const diagnostic& d : l.said.all()) (d.weight == severity::error ? all.errors : all.warnings).insert(d.number);
  return all;
}

TEST(catalog, wrong_fragments_are_refused_for_that_and_right_ones_are_taken) {
  std::ofstream(testing::TempDir() + "buffer.abcl") << buffer;
  const std::set<int> none;
  for (const explanation& e : explanations()) {
    std::vector<std::string> seen;
    for (const fragment& f : fragments_of(e)) {
      const std::string text = written_out(e.number, f.text);
      const numbers said = said_of(program_of(text));
      const std::string shown = name_of(e.number) + ", " + f.what + ":\n" + f.text;
      seen.push_back(f.what);
      if (f.what == "Wrong") {
        // A word with a control character is no known name either.
        EXPECT_EQ(said.errors, e.number == 3 ? (std::set<int>{3, 30}) : std::set<int>{e.number}) << shown;
      } else if (f.what == "Warned of") {
        EXPECT_EQ(said.errors, none) << shown;
        EXPECT_TRUE(said.warnings.contains(e.number)) << shown;
      } else {
        EXPECT_EQ(said.errors, none) << shown;
        EXPECT_EQ(said.warnings, none) << shown;
      }
    }
    const std::vector<std::string> refused = {"Wrong", "Right"}, warned = {"Warned of", "Better"};
    EXPECT_EQ(seen, e.number < 100 ? refused : warned) << e.title;
  }
}

TEST(catalog, is_in_order_and_complete) {
  int last = 0;
  for (const explanation& e : explanations()) {
    EXPECT_LT(last, e.number) << e.title;
    last = e.number;
    EXPECT_EQ(find_explanation(e.number), &e);
    EXPECT_FALSE(e.text.starts_with('\n')) << e.title;
    EXPECT_TRUE(e.text.ends_with('\n')) << e.title;
  }
  EXPECT_EQ(find_explanation(0), nullptr);
  EXPECT_EQ(find_explanation(999), nullptr);
}

}  // namespace
}  // namespace abcl
