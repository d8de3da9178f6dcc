// Promise: the checker finds the types that stand in no program: of reply boxes, of branches, of what is taken apart;
// and it accepts what the rules allow. (What it refuses, and how, is in tests/abcl/errors.) Method: small programs.
#include "abcl/check/check.hpp"

#include <gtest/gtest.h>

namespace abcl {
namespace {

struct checked {
  source from;
  diagnostics said;
  forms read;
  std::unique_ptr<program> of;

  explicit checked(std::string text)
      : from("x", std::move(text)), read(abcl::read(from, said)), of(check({&read}, said)) {}
};

// The type of the last form of Main's body, behind declarations that many tests need.
std::string type_of(const std::string& form) {
  const checked c(
      "[class Cell (obj [:get (@ Int)] [:put Int] [:swap Int (@ Int)] [:where (@ [Float Float])]) ()\n"
      " (script (==> [:get] !1) (=> [:put _]) (==> [:swap n] !n) (==> [:where] ![0.0 0.0]))]\n"
      "[class Log (obj [:put Int] [:close]) () (script (=> [:put _]) (=> [:close]))]\n"
      "(function (twice (Int n)) Int (* 2 n))\n"
      "[class Main (obj []) ((Int n)) (state (Cell c := nil) (Log l := nil))\n" +
      form + "]");
  for (const diagnostic& d : c.said.all()) EXPECT_EQ(d.weight, severity::warning) << form << ": " << d.message;
  return shown(c.of->find_class("Main")->body.back()->of);
}

TEST(types, values) {
  EXPECT_EQ(type_of("(+ n 1)"), "Int");
  EXPECT_EQ(type_of("(/ (float n) 2.0)"), "Float");
  EXPECT_EQ(type_of("[:at n \"x\" true]"), "[:at Int Str Bool]");
  EXPECT_EQ(type_of("(make-array n 0.5)"), "(array Float)");
  EXPECT_EQ(type_of("(subarray (make-array n [n \"x\"]) 0 n)"), "(array [Int Str])");
  EXPECT_EQ(type_of("(twice n)"), "Int");
  EXPECT_EQ(type_of("(new Cell)"), "Cell");
  EXPECT_EQ(type_of("[n := 2]"), "[]");
}

TEST(types, replies) {
  EXPECT_EQ(type_of("[c <== [:get]]"), "Int");
  EXPECT_EQ(type_of("[c <= [:get]]"), "[]");
  EXPECT_EQ(type_of("[c <== [:where]]"), "[Float Float]");
  EXPECT_EQ(type_of("(match [c <== [:where]] (=> [x _] x))"), "Float");
}

TEST(types, boxes_get_their_type_from_what_is_expected_of_them) {
  EXPECT_EQ(type_of("(sync r [c <= [:get (@ r)]])"), "Int");
  EXPECT_EQ(type_of("(sync2 r [c <= [:swap 1 (@ r)]] [c <== [:where]])"), "[Int [Float Float]]");
  EXPECT_EQ(type_of("(sync* (a b) [c <= [:get (@ a)]] [c <= [:where (@ b)]] true)"), "[Int [Float Float] Bool]");
}

TEST(types, branches_join) {
  EXPECT_EQ(type_of("(if true c nil)"), "Cell");
  EXPECT_EQ(type_of("(if true c l)"), "(obj [:put Int])");
  EXPECT_EQ(type_of("(if true 1 2.0)"), "[]") << "no value that somebody could use";
  EXPECT_EQ(type_of("(if true 1 (exit 1))"), "Int");
}

TEST(types, futures) {
  EXPECT_EQ(type_of("(let (((future Int) f (make-future))) [c <= [:get] $ f] (touch f))"), "Int");
  EXPECT_EQ(type_of("(let (((future Int) f (make-future))) (ready? f))"), "Bool");
}

TEST(types, an_object_may_stand_for_a_destination) {
  EXPECT_EQ(type_of("(let (((@ [:put Int]) d l)) [d <= [:put 3]])"), "[]");
}

TEST(types, names_may_come_before_their_definitions) {
  const checked c(
      "[class A (obj [:b B]) () (script (=> [:b b] [b <= [:a me]]))]\n"
      "[class B (obj [:a A]) () (script (=> [:a a] [a <= [:b me]]))]\n");
  EXPECT_TRUE(c.said.all().empty());
}

TEST(types, are_shown_by_the_names_that_the_program_gives_them) {
  const checked c(
      "[class Source (obj [:to Sink Row]) ((Row row)) (script (=> [:to s r] [s <= [:put (aref r 0)]]))]\n"
      "(type Sink (obj [:put Id]))\n(type Row (array Id))\n(type Rows (array Row))\n(type Id Int)\n(type Kind Source)\n"
      "(function (first (Rows all)) Row (aref all 0))\n");
  for (const diagnostic& d : c.said.all()) ADD_FAILURE() << d.message;
  EXPECT_EQ(shown(c.of->find_class("Source")->interface), "(obj [:to Sink Row])");
  const type* const rows = c.of->find_function("first")->arguments[0]->of;
  EXPECT_EQ(shown(rows), "Rows");
  EXPECT_EQ(written_out(rows), "(array Row)");
  EXPECT_EQ(spelled(rows), "(array (array Int))") << "the back ends' texts are those of a program without names";
  EXPECT_EQ(c.of->find_alias("Kind")->of, c.of->find_class("Source")->of);
  EXPECT_EQ(shown(c.of->find_alias("Kind")->of), "Source") << "what has a name of its own keeps it";
  EXPECT_EQ(c.of->find_alias("Row")->uses.size(), 4U);
}

TEST(library, is_in_the_order_of_its_names_and_complete) {
  std::string_view last;
  for (const library_function& f : library_functions()) {
    EXPECT_LT(last, f.name);
    last = f.name;
    EXPECT_EQ(find_library_function(f.name), &f);
    EXPECT_TRUE(f.about.ends_with('.')) << f.name;
    EXPECT_TRUE(f.acts || !f.waits) << f.name << " waits, so it is not left out";
    // Nothing else has the name.
    const checked c("[class Main (obj []) () (let ((Int x (" + std::string(f.name) + " 1 2 3 4)))) (exit 0)]");
    ASSERT_TRUE(c.said.any_errors()) << f.name;
    EXPECT_EQ(c.said.all()[0].number, 49) << f.name << ": " << c.said.all()[0].message;
  }
  EXPECT_EQ(find_library_function("unknown"), nullptr);
}

TEST(library, has_the_types_of_its_table) {
  EXPECT_EQ(type_of("(split \"a b\" \" \")"), "(array Str)");
  EXPECT_EQ(type_of("(begin (clock))"), "Float");
  EXPECT_EQ(type_of("(write-file \"f\" \"text\")"), "[]");
  EXPECT_EQ(type_of("(if (more-input?) (parse-int (read-line)) (random 5))"), "Int");
}

TEST(foreign, functions_and_classes_have_the_types_that_are_declared) {
  const checked c(
      "(foreign \"<x>\" (function (area (Float w)) [Int Float] \"ns::area\")\n"
      " [class Pile (obj [:push Int] [:top (@ Int)]) ((Str name)) \"ns::pile\"])\n"
      "[class Main (obj []) () (let (([Int Float] a (area 1.0)) (Pile p (new Pile \"x\"))) [p <= [:push [p <== "
      "[:top]]]] (print a))\n"
      " (exit 0)]");
  for (const diagnostic& d : c.said.all()) ADD_FAILURE() << d.message;
  EXPECT_EQ(c.of->find_function("area")->cpp, "::ns::area");
  EXPECT_TRUE(c.of->find_function("area")->acts);
  EXPECT_EQ(c.of->find_class("Pile")->cpp, "::ns::pile");
}

}  // namespace
}  // namespace abcl
