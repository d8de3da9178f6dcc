// Promise: verify() finds what is wrong with a program of either language, and says where. Method: the smallest
// programs that are wrong in one way each, beside those that the compiler makes.
#include "abcl/registers/verify.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "abcl/registers/flow.hpp"
#include "abcl/registers/passes.hpp"
#include "tests/abcl/small_node.hpp"

namespace abcl::registers {
namespace {

using code::instruction;
using code::opcode;

using blocks = std::vector<std::vector<instruction>>;

// One text, named T.
code::program program_of(const blocks& all) {
  code::program p;
  code::text& t = p.texts.emplace_back();
  t.name = "T";
  for (const std::vector<instruction>& steps : all) t.blocks.push_back({{}, false, steps});
  return p;
}

std::string said(const blocks& all, language of) {
  const std::vector<std::string> found = faults_of(program_of(all), of);
  EXPECT_LE(found.size(), 1U);
  return found.empty() ? "nothing" : found.front();
}
std::string of_messages(const blocks& all) { return said(all, language::messages); }
std::string of_registers(const blocks& all) { return said(all, language::registers); }

constexpr instruction end{.what = opcode::end};
constexpr instruction set_0{.what = opcode::set, .d = 0};
constexpr instruction set_1{.what = opcode::set, .d = 1};

TEST(verify, blocks) {
  EXPECT_EQ(of_messages({{set_0, end}}), "nothing");
  EXPECT_EQ(of_messages({{set_0}}), "T, L0: set: the block does not end");
  EXPECT_EQ(of_messages({{end, end}}), "T, L0: end: more follows in the block");
  EXPECT_EQ(of_messages({{{.what = opcode::jump, .t = 7}}}), "T, L0: jump: there is no block L7");
  EXPECT_EQ(of_messages({{{.what = opcode::jump, .t = 1}}, {}}), "T, L0: jump: there is no block L1");
  EXPECT_EQ(of_messages({{set_0, {.what = opcode::if_equal, .a = 0, .t = 0}}}), "T, L0: if-eq: there is no block L-1");
  code::program p = program_of({{end}});
  p.texts[0].at_left = 3;
  EXPECT_EQ(faults_of(p, language::messages), std::vector<std::string>{"T: it begins at L3, which is not there"});
}

TEST(verify, languages) {
  const instruction first{.what = opcode::first, .d = 1}, link{.what = opcode::link, .k = 0};
  EXPECT_EQ(of_messages({{first, end}}), "nothing");
  EXPECT_EQ(of_registers({{first, end}}), "T, L0: first: it is of the other language");
  EXPECT_EQ(of_registers({{link, end}}), "nothing");
  EXPECT_EQ(of_messages({{link, end}}), "T, L0: link: it is of the other language");
}

TEST(verify, operands) {
  EXPECT_EQ(of_messages({{{.what = opcode::move, .d = 0}, end}}), "T, L0: move: operand a is not there");
  EXPECT_EQ(of_messages({{{.what = opcode::set, .k = 1}, end}}), "T, L0: set: it makes no value");
  EXPECT_EQ(of_messages({{{.what = opcode::move, .d = 0, .a = -5}, end}}), "T, L0: move: there is no value -5");
  EXPECT_EQ(of_messages({{{.what = opcode::set, .d = 10}, end}}), "nothing");
  EXPECT_EQ(of_registers({{{.what = opcode::set, .d = 10}, end}}), "T, L0: set: there is no value 10");
}

TEST(verify, tables) {
  EXPECT_EQ(of_messages({{{.what = opcode::text, .d = 0, .k = 0}, end}}), "T, L0: text: there is no constant text 0");
  EXPECT_EQ(of_messages({{set_0, {.what = opcode::pack, .d = 1, .a = 0, .k = 2}, end}}),
            "T, L0: pack: there is no selector 2");
  EXPECT_EQ(of_messages({{set_0, {.what = opcode::create, .d = 1, .a = 0, .k = 4, .t = 1}}, {end}}),
            "T, L0: create: there is no class 4");
  EXPECT_EQ(of_messages({{{.what = opcode::call, .k = 1, .t = 1}}, {end}}), "T, L0: call: there is no function 1");
  EXPECT_EQ(of_registers({{{.what = opcode::link, .k = 11}, end}}), "T, L0: link: there is no reactive text 11");
  EXPECT_EQ(of_registers({{{.what = opcode::service, .k = 99}, end}}), "T, L0: service: there is no service 99");
  EXPECT_EQ(of_registers({{{.what = opcode::put_heap, .a = 0, .b = 0, .u = 2}, end}}),
            "T, L0: put-heap: there is no layout for 2");
}

TEST(verify, values) {
  const instruction use_1{.what = opcode::store, .a = code::segment, .b = 1, .k = 40};
  EXPECT_EQ(of_messages({{use_1, end}}), "T: %1 is used behind L0 before it is made");
  EXPECT_EQ(of_messages({{set_1, use_1, end}}), "nothing");
  // On one of two ways only.
  const blocks one_way = {{set_0, {.what = opcode::if_equal, .a = 0, .t = 1, .u = 2}},
                          {set_1, {.what = opcode::jump, .t = 2}},
                          {use_1, end}};
  EXPECT_EQ(of_messages(one_way), "T: %1 is used behind L0 before it is made");
}

TEST(verify, registersAreNotKeptOverWaits) {
  const instruction use_1{.what = opcode::store, .a = code::segment, .b = 1, .k = 40};
  const instruction use_0{.what = opcode::store, .a = code::segment, .b = 0, .k = 40};
  const instruction goes_on{.what = opcode::keep_place, .k = 1, .t = 1};
  EXPECT_EQ(of_registers({{set_1, goes_on, end}, {use_1, end}}), "T: r1 is used behind L1 before it is made");
  EXPECT_EQ(of_registers({{set_0, goes_on, end}, {use_0, end}}), "nothing") << "the datum that has come";
}

TEST(verify, whatTheCompilerMakes) {
  code::program p = test::messages_of(
      "[class C (obj [:add Int] [:get (@ Int)]) () (state (Int n := 0))\n"
      "  (script (=> [:add k] [n := (+ n k)]) (==> [:get] !n))]\n"
      "[class Main (obj []) () [(new C) <= [:add 3]] (print [(new C) <== [:get]]) (exit 0)]");
  for (code::text& t : p.texts) remove_unreachable(t);
  EXPECT_EQ(faults_of(p, language::messages), std::vector<std::string>{});
  translate(p, {});
  EXPECT_EQ(faults_of(p, language::registers), std::vector<std::string>{});
}

}  // namespace
}  // namespace abcl::registers
