// Promise: the passes keep what a program means, and remove and keep what they say. Method: texts written by hand, and
// small programs, of which each pass's result is looked at; programs with many values are executed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "abcl/code/print.hpp"
#include "abcl/registers/flow.hpp"
#include "abcl/registers/handlers.hpp"
#include "abcl/registers/print.hpp"
#include "tests/abcl/small_node.hpp"

namespace abcl::registers {
namespace {

using code::instruction;
using code::opcode;
using test::messages_of;
using test::said_by;

// A text of a class, of these blocks.
code::text text_of(std::vector<std::vector<instruction>> blocks) {
  code::text t;
  t.name = "T";
  t.words = code::words::plain_object;
  for (auto& steps : blocks) t.blocks.push_back({{}, false, std::move(steps)});
  return t;
}

int count(const code::text& t, opcode what, code::value of = code::none) {
  int n = 0;
  for (const code::block& b : t.blocks) {
    for (const instruction& i : b.steps) n += i.what == what && (of == code::none || i.a == of || i.b == of) ? 1 : 0;
  }
  return n;
}

// ---- flow

TEST(flow, a_value_is_live_from_where_it_is_made_to_its_last_use) {
  const code::text t = text_of({{{.what = opcode::set, .d = 0, .k = 1},
                                 {.what = opcode::set, .d = 1, .k = 2},
                                 {.what = opcode::if_equal, .a = 0, .k = 1, .t = 1, .u = 2}},
                                {{.what = opcode::store, .a = code::segment, .b = 1, .k = 8}, {.what = opcode::end}},
                                {{.what = opcode::end}}});
  const liveness live = live_values(t, true);
  EXPECT_EQ(values_of(t), 2);
  EXPECT_FALSE(live.in[0].has(0));
  EXPECT_FALSE(live.out[0].has(0)) << "it is used in the branch only";
  EXPECT_TRUE(live.out[0].has(1));
  EXPECT_TRUE(live.in[1].has(1));
  EXPECT_FALSE(live.in[2].has(1));
}

TEST(flow, a_loop_keeps_its_values_alive) {
  const code::text t = text_of(
      {{{.what = opcode::set, .d = 0, .k = 1}, {.what = opcode::jump, .t = 1}},
       {{.what = opcode::add, .d = 1, .a = 0, .k = 1}, {.what = opcode::if_less, .a = 1, .k = 9, .t = 1, .u = 2}},
       {{.what = opcode::end}}});
  const liveness live = live_values(t, true);
  EXPECT_TRUE(live.out[1].has(0));
  EXPECT_FALSE(live.out[1].has(1));
}

TEST(flow, waits_are_passed_only_where_that_is_asked_for) {
  const code::text t = text_of({{{.what = opcode::set, .d = 0, .k = 1}, {.what = opcode::pause, .t = 1}},
                                {{.what = opcode::store, .a = code::segment, .b = 0, .k = 8}, {.what = opcode::end}}});
  EXPECT_TRUE(live_values(t, true).out[0].has(0));
  EXPECT_FALSE(live_values(t, false).out[0].has(0));
}

TEST(flow, what_nothing_leads_to_is_removed) {
  code::text t = text_of({{{.what = opcode::jump, .t = 2}, {.what = opcode::set, .d = 0, .k = 1}},
                          {{.what = opcode::jump, .t = 2}},
                          {{.what = opcode::end}}});
  remove_unreachable(t);
  EXPECT_EQ(t.blocks[0].steps.size(), 1U) << "what is behind the end of a block";
  EXPECT_TRUE(t.blocks[1].steps.empty());
  EXPECT_EQ(t.blocks[2].steps.size(), 1U);
}

// ---- copies

TEST(copies, a_copy_that_changes_nothing_goes) {
  code::text t = text_of({{{.what = opcode::load, .d = 0, .a = code::segment, .k = 8},
                           {.what = opcode::move, .d = 1, .a = 0},
                           {.what = opcode::add, .d = 2, .a = 1, .k = 1},
                           {.what = opcode::store, .a = code::segment, .b = 2, .k = 8},
                           {.what = opcode::end}}});
  figures f;
  remove_copies(t, f);
  EXPECT_EQ(count(t, opcode::move), 0);
  EXPECT_EQ(f.copies_removed, 1);
  EXPECT_EQ(t.blocks[0].steps[1].a, 0);
}

TEST(copies, one_whose_original_changes_stays) {
  code::text t = text_of({{{.what = opcode::load, .d = 0, .a = code::segment, .k = 8},
                           {.what = opcode::move, .d = 1, .a = 0},
                           {.what = opcode::add, .d = 0, .a = 0, .k = 1},
                           {.what = opcode::store, .a = code::segment, .b = 0, .k = 8},
                           {.what = opcode::store, .a = code::segment, .b = 1, .k = 9},
                           {.what = opcode::end}}});
  figures f;
  remove_copies(t, f);
  EXPECT_EQ(count(t, opcode::move), 1);
  EXPECT_EQ(count(t, opcode::store, 1), 1);
}

TEST(copies, a_value_is_made_where_it_is_wanted) {
  code::text t = text_of({{{.what = opcode::set, .d = 0, .k = 0}, {.what = opcode::jump, .t = 1}},
                          {{.what = opcode::if_less, .a = 0, .k = 9, .t = 2, .u = 3}},
                          {{.what = opcode::add, .d = 1, .a = 0, .k = 1},
                           {.what = opcode::move, .d = 0, .a = 1},
                           {.what = opcode::jump, .t = 1}},
                          {{.what = opcode::end}}});
  figures f;
  remove_copies(t, f);
  EXPECT_EQ(count(t, opcode::move), 0);
  EXPECT_EQ(t.blocks[2].steps[0].d, 0);
}

TEST(copies, what_has_an_effect_stays_though_its_value_is_not_used) {
  code::text t = text_of({{{.what = opcode::set, .d = 0, .k = 7},
                           {.what = opcode::set, .d = 1, .k = 7},
                           {.what = opcode::divide, .d = 2, .a = 0, .k = 0},
                           {.what = opcode::multiply, .d = 3, .a = 1, .k = 3},
                           {.what = opcode::end}}});
  figures f;
  remove_copies(t, f);
  EXPECT_EQ(count(t, opcode::divide), 1) << "it may end the job";
  EXPECT_EQ(count(t, opcode::multiply), 0);
  EXPECT_EQ(count(t, opcode::set), 1);
}

// ---- waits

TEST(waits, a_value_is_stored_once_and_loaded_where_it_is_used) {
  code::text t =
      text_of({{{.what = opcode::load, .d = 0, .a = code::segment, .k = 8}, {.what = opcode::pause, .t = 1}},
               {{.what = opcode::pause, .t = 2}},
               {{.what = opcode::store, .a = code::segment, .b = 0, .k = 9}, {.what = opcode::pause, .t = 3}},
               {{.what = opcode::store, .a = code::segment, .b = 0, .k = 8}, {.what = opcode::end}}});
  figures f;
  int words = t.words;
  keep_over_waits(t, words, f);
  EXPECT_EQ(f.kept, 1);
  EXPECT_EQ(f.loaded, 2) << "behind the second wait and the third; it stays where it is behind the first";
  EXPECT_EQ(words, t.words + 1);
  EXPECT_EQ(t.blocks[1].steps.size(), 1U);
}

TEST(waits, a_value_that_changes_is_stored_again) {
  code::text t = text_of({{{.what = opcode::set, .d = 0, .k = 1}, {.what = opcode::pause, .t = 1}},
                          {{.what = opcode::add, .d = 0, .a = 0, .k = 1}, {.what = opcode::pause, .t = 2}},
                          {{.what = opcode::store, .a = code::segment, .b = 0, .k = 8}, {.what = opcode::end}}});
  figures f;
  int words = t.words;
  keep_over_waits(t, words, f);
  EXPECT_EQ(f.kept, 2);
  EXPECT_EQ(f.loaded, 2);
}

TEST(waits, values_that_are_not_needed_at_the_same_time_share_a_word) {
  code::text t = text_of({{{.what = opcode::set, .d = 0, .k = 1}, {.what = opcode::pause, .t = 1}},
                          {{.what = opcode::store, .a = code::segment, .b = 0, .k = 8},
                           {.what = opcode::set, .d = 1, .k = 2},
                           {.what = opcode::pause, .t = 2}},
                          {{.what = opcode::store, .a = code::segment, .b = 1, .k = 8}, {.what = opcode::end}}});
  figures f;
  int words = t.words;
  keep_over_waits(t, words, f);
  EXPECT_EQ(f.kept, 2);
  EXPECT_EQ(words, t.words + 1);
}

TEST(waits, express_clauses_have_words_of_their_own) {
  code::text t = text_of({{{.what = opcode::set, .d = 0, .k = 1}, {.what = opcode::pause, .t = 1}},
                          {{.what = opcode::store, .a = code::segment, .b = 0, .k = 8}, {.what = opcode::end}},
                          {{.what = opcode::set, .d = 1, .k = 2}, {.what = opcode::pause, .t = 3}},
                          {{.what = opcode::store, .a = code::segment, .b = 1, .k = 8}, {.what = opcode::end}}});
  t.at_express = 2;
  t.blocks[2].express = t.blocks[3].express = true;
  figures f;
  int words = t.words;
  keep_over_waits(t, words, f);
  EXPECT_EQ(words, t.words + 2);
  EXPECT_NE(t.blocks[0].steps[1].k, t.blocks[2].steps[1].k);
}

// ---- allocate

// A function that makes `n` values, and adds them up afterwards.
std::string many_values(int n) {
  std::string lets, sum;
  for (int i = 0; i < n; ++i) {
    lets += "(Int v" + std::to_string(i) + " (* a " + std::to_string(i + 1) + ")) ";
    sum = "(- v" + std::to_string(i) + " " + (sum.empty() ? "0" : sum) + ")";
  }
  return "(function (f (Int a)) Int (let (" + lets + ") " + sum + "))\n";
}

std::int64_t many_values_result(int n, std::int64_t a) {
  std::int64_t sum = 0;
  for (int i = 0; i < n; ++i) sum = a * (i + 1) - sum;
  return sum;
}

TEST(allocate, ten_registers_are_enough_for_ten_values) {
  code::program p = messages_of(many_values(9) + "[class Main (obj []) () (print (f 3)) (exit 0)]");
  const std::vector<figures> all = translate(p, {});
  EXPECT_EQ(all.back().spilled, 0);
  for (const code::text& t : p.texts) EXPECT_LE(values_of(t), code::registers);
}

TEST(allocate, values_beyond_them_are_kept_in_memory) {
  for (const bool copies : {true, false}) {
    code::program p = messages_of(many_values(30) + "[class Main (obj []) () (print (f 3)) (exit 0)]");
    const std::vector<figures> all = translate(p, {.copy_propagation = copies});
    EXPECT_GT(all.back().spilled, 0);
    for (const code::text& t : p.texts) EXPECT_LE(values_of(t), code::registers);
  }
}

TEST(allocate, programs_with_many_values_have_the_right_result) {
  for (const int n : {1, 9, 10, 11, 30, 100}) {
    const std::string text = many_values(n) + "[class Main (obj []) ((Int n)) (print (f n)) (exit 0)]";
    const std::vector<std::string> expected = {std::to_string(many_values_result(n, 7))};
    EXPECT_EQ(said_by(text, {7}), expected) << n;
    EXPECT_EQ(said_by(text, {7}, {.copy_propagation = false}), expected) << n;
  }
}

TEST(allocate, values_over_waits_and_registers_have_the_right_result) {
  // Thirty variables of a clause that waits while they are needed.
  std::string lets, sum = "0";
  for (int i = 0; i < 30; ++i) {
    lets +=
        "(Int v" + std::to_string(i) + " " + (i % 3 == 0 ? "[d <== [" + std::to_string(i) + "]]" : "(+ n 1)") + ") ";
    sum = "(+ v" + std::to_string(i) + " " + sum + ")";
  }
  const std::string text =
      "[class D (obj [Int (@ Int)]) () (script (==> [i] !(* 2 i)))]\n"
      "[class Main (obj []) ((Int n)) (let ((D d (new D)) " +
      lets + ") (print " + sum + ")) (exit 0)]";
  const std::vector<std::string> expected = {std::to_string(2 * (0 + 27) * 10 / 2 + 20 * 6)};
  EXPECT_EQ(said_by(text, {5}), expected);
  EXPECT_EQ(said_by(text, {5}, {.copy_propagation = false}), expected);
}

// With what a thousand answers, 0, 2, 4 and so on, are put together.
std::string thousand_answers(const std::string& operation) {
  std::string answers;
  for (int i = 0; i < 1000; ++i) answers += " [d <== [" + std::to_string(i) + "]]";
  return "[class D (obj [Int (@ Int)]) () (script (==> [i] !(* 2 i)))]\n"
         "[class Main (obj []) ((Int n)) (let ((D d (new D))) (print (" +
         operation + answers + "))) (exit 0)]";
}

TEST(allocate, a_thousand_answers_are_kept_until_they_are_compared) {
  code::program p = messages_of(thousand_answers("<"));
  EXPECT_GE(translate(p, {}).back().spilled, 1000 - code::registers);
  EXPECT_EQ(said_by(thousand_answers("<"), {5}), std::vector<std::string>{"true"});
}

TEST(allocate, a_thousand_answers_are_added_as_they_come) {
  code::program p = messages_of(thousand_answers("+"));
  EXPECT_EQ(translate(p, {}).back().spilled, 0);
  EXPECT_EQ(said_by(thousand_answers("+"), {5}), std::vector<std::string>{"999000"});
}

// ---- link, assemble, print

TEST(link, branches_lead_to_instructions_and_every_entry_has_a_sequence) {
  const auto image = test::image_of(messages_of(
      "[class Main (obj [:a Int]) ((Int n)) (if (< n 0) (print 1) (print 2)) (script (=> [:a n] (exit n)))]"));
  const auto size = static_cast<int>(image->code.size());
  for (const instruction& i : image->code) {
    if (code::ends_block(i.what) || i.what == opcode::keep_place) {
      EXPECT_LT(i.t, size);
    }
    EXPECT_NE(code::shape_of(i.what).name, code::shape_of(opcode::reserve).name) << "a step of messages";
  }
  const instruction& last = image->code[image->code.size() - 1];
  EXPECT_FALSE(code::shape_of(last.what).name.empty());
  EXPECT_TRUE(code::ends_block(last.what)) << "nothing runs beyond the end";
  for (const auto& text : image->reactive) {
    for (std::size_t e = 0; e < text.size(); ++e) {
      if (e == static_cast<std::size_t>(code::entry::answer)) continue;  // which is matched
      EXPECT_GE(text[e], 0);
      EXPECT_LT(text[e], size);
    }
  }
  // Those of a collector it does not have.
  for (std::size_t h = 0; h < image->handlers.size(); ++h)
    EXPECT_EQ(image->handlers[h] >= 0, h <= static_cast<std::size_t>(code::handler::create)) << h;
}

// The machine's texts in the form that is printed, without what stands behind `;`.
std::string machine_texts(const std::string& from) {
  image to;
  assemble(from, to);
  return shown(to, true);
}

TEST(assemble, the_machines_texts_are_the_same_when_they_are_printed_and_assembled_again) {
  image first, second;
  const std::vector<assembled> a = assemble(handlers_text(), first);
  const std::string printed = machine_texts(std::string(handlers_text()));
  const std::vector<assembled> b = assemble(printed, second);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].at, b[i].at);
  }
  EXPECT_EQ(machine_texts(printed), printed);
  ASSERT_EQ(first.code.size(), second.code.size());
  for (std::size_t i = 0; i < first.code.size(); ++i) {
    const instruction &x = first.code[i], &y = second.code[i];
    EXPECT_TRUE(x.what == y.what && x.d == y.d && x.a == y.a && x.b == y.b && x.k == y.k && x.t == y.t) << "at " << i;
  }
}

TEST(assemble, texts_and_states_of_replies_are_numbers_too) {
  image to;
  assemble("text a.b\n    set r1, waiting-open\n    set r2, will-not-come\n    set r3, has-come\n    set r4, -1\n", to);
  ASSERT_EQ(to.code.size(), 4U);
  EXPECT_EQ(to.code[0].k, static_cast<int>(code::reactive::waiting_open));
  EXPECT_EQ(to.code[1].k, code::words::will_not_come);
  EXPECT_EQ(to.code[2].k, code::words::has_come);
  EXPECT_EQ(to.code[3].k, -1);
}

// An object that was interrupted goes on as what its text says that it was.
TEST(assemble, each_text_that_can_be_interrupted_keeps_its_own_number) {
  image to;
  const std::vector<assembled> all = assemble(handlers_text(), to);
  for (const code::reactive open :
       {code::reactive::dormant_open, code::reactive::accepting_open, code::reactive::waiting_open}) {
    const std::string name = std::string(code::reactive_names[static_cast<std::size_t>(open)].name) + ".express";
    const auto text = std::ranges::find(all, name, &assembled::name);
    ASSERT_NE(text, all.end()) << name;
    const instruction& kept = to.code[static_cast<std::size_t>(text->at)];
    EXPECT_EQ(kept.what, opcode::set);
    EXPECT_EQ(kept.k, static_cast<int>(open)) << name;
  }
}

TEST(assemble, errors_name_the_line) {
  const auto said = [](const std::string& text) {
    try {
      image to;
      assemble(text, to);
    } catch (const std::runtime_error& e) {
      return std::string(e.what());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(said("text a.b\n    jmp here\n"), "line 2 of a register text: there is no instruction 'jmp'");
  EXPECT_EQ(said("\ntext a.b\n    set r10, 1\n"), "line 3 of a register text: there is no register r10");
  EXPECT_EQ(said("text a.b\n    load r1, segment[middle]\n"), "line 2 of a register text: no word is called 'middle'");
  EXPECT_EQ(said("text a.b\n    set r1, x\n"), "line 2 of a register text: nothing is called 'x'");
  EXPECT_EQ(said("text a.b\n    set r1, head\n"), "line 2 of a register text: nothing is called 'head'")
      << "a word of the segment is no number";
  EXPECT_EQ(said("text a.b\n    end r1\n"), "line 2 of a register text: 'r1' is too much");
  EXPECT_EQ(said("text a.b\n    link asleep\n"), "line 2 of a register text: nothing is called 'asleep'");
  EXPECT_EQ(said("text a.b\n    jump there\n    end\n"), "line 3 of a register text: there is no label there");
  EXPECT_EQ(said("text a.b\nhere:\n    jump here\n"), "nothing");
}

const char* const fib = R"([class Fib (obj [Int (@ Int)]) ()
  (script
    (==> [n]
      (if (<= n 2) !1 !(+ [(new Fib) <== [(- n 1)]] [(new Fib) <== [(- n 2)]]))))]
[class Main (obj []) ((Int n)) (print [(new Fib) <== [n]]) (exit 0)]
)";

TEST(print, messages) {
  code::program p = messages_of(fib);
  for (code::text& t : p.texts) {
    figures f;
    tidy(t, {}, f);
  }
  const std::string text = code::shown(p);
  EXPECT_EQ(text.substr(0, text.find("L3:")), R"(class Fib
L0:  ; begin
    jump L2                                         ; line 2
L1:  ; message
    box-of %1, %0                                   ; line 2
    load %2, %1[2]                                  ; line 3
    load %3, %1[3]
    load %4, %1[4]
    release %1
    if-le %2, 2, L7 else L8                         ; line 4
L2:  ; clause ended
    next %0, then L1                                ; line 2
)");
  EXPECT_NE(text.find("reserve %"), std::string::npos);
  EXPECT_NE(text.find(" as [Int (@ Int)]\n"), std::string::npos);
}

TEST(print, registers) {
  const std::string text = shown(*test::image_of(messages_of(fib)), false);
  EXPECT_TRUE(text.starts_with("text Fib\n"));
  EXPECT_NE(text.find("    load r0, segment[head]"), std::string::npos);
  EXPECT_NE(text.find("    ask-node r0.create Fib, r"), std::string::npos);
  EXPECT_NE(text.find("    link waiting-one\n    end\n"), std::string::npos);
  EXPECT_NE(text.find("\ntext Main\n"), std::string::npos);
  EXPECT_EQ(text.find('%'), std::string::npos) << "no value is without a register";
  EXPECT_EQ(text.find("text busy.message"), std::string::npos);
  EXPECT_NE(shown(*test::image_of(messages_of(fib)), true).find("text busy.message"), std::string::npos);
}

}  // namespace
}  // namespace abcl::registers
