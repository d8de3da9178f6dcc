// Promise: the processor executes programs as the reference says, notices a second reply, and uses boxes again. Method:
// a node without Tsubu, whose packets come in their order (small_node.hpp).
#include "abcl/machine/processor.hpp"

#include <gtest/gtest.h>

#include "tests/abcl/small_node.hpp"

namespace abcl::machine {
namespace {

using test::image_of;
using test::job_failed;
using test::messages_of;
using test::said_by;
using test::small_node;
using lines = std::vector<std::string>;

// What the job ends with.
std::string failure_of(const std::string& text) {
  try {
    small_node node(image_of(messages_of(text)));
    node.run();
  } catch (const job_failed& e) {
    return e.what();
  }
  return "nothing";
}

const char* const fib = R"(
[class Fib (obj [Int (@ Int)]) ()
  (script (==> [n] (if (<= n 2) !1 !(+ [(new Fib) <== [(- n 1)]] [(new Fib) <== [(- n 2)]]))))]
[class Main (obj []) ((Int n)) (print [(new Fib) <== [n]]) (exit 3)]
)";

TEST(processor, fib) {
  EXPECT_EQ(said_by(fib, {15}), lines{"610"});
  EXPECT_EQ(said_by(fib, {15}, {.copy_propagation = false}), lines{"610"});
  small_node three(image_of(messages_of(fib)), 3);
  EXPECT_TRUE(three.run({15}));
  EXPECT_EQ(three.said, lines{"610"});
  EXPECT_EQ(three.status, 3);
  EXPECT_GT(three.cpu(1).done().instructions, 1000U);
  EXPECT_GT(three.clocks, three.cpu(0).done().instructions);
}

TEST(processor, a_thousand_messages_wait_in_a_queue) {
  EXPECT_EQ(said_by(R"(
[class Sum (obj [:put Int] [:sum (@ Int)] [:open]) () (state (Bool open := false) (Int sum := 0) (Int n := 0))
  (script
    (=> [:put i] where open (expect (= i n)) [sum := (+ sum i)] [n := (+ n 1)])
    (=> [:open] [open := true])
    (==> [:sum] where (= n 1000) !sum))]
[class Main (obj []) ()
  (let ((Sum s (new Sum)))
    (for (i 0 1000) [s <= [:put i]])
    [s <= [:open]]
    (print [s <== [:sum]]))
  (exit 0)]
)"),
            lines{"499500"});
}

std::string long_message(int elements, int rounds) {
  std::string types, names, values, sum = "0";
  for (int i = 0; i < elements; ++i) {
    const std::string n = "a" + std::to_string(i);
    types += " Int", names += " " + n, values += " (+ i " + std::to_string(i) + ")";
    sum = "(+ " + n + " " + sum + ")";
  }
  return "[class A (obj [:long" + types + " (@ Int)]) () (script (==> [:long" + names + "] !" + sum +
         "))]\n[class Main (obj []) () (let ((A a (new A)) (Int sum 0))\n (for (i 0 " + std::to_string(rounds) +
         ") (if (= (mod i 1000) 0) (print sum)) [sum := (+ sum [a <== [:long" + values + "]])]) (print sum)) (exit 0)]";
}

TEST(processor, a_message_may_have_more_words_than_a_box) {
  for (const int elements : {27, 28, 29, 30, 31, 32, 40, 100})
    EXPECT_EQ(said_by(long_message(elements, 1)), (lines{"0", std::to_string(elements * (elements - 1) / 2)}))
        << elements;
}

TEST(processor, boxes_are_used_again) {
  for (const int elements : {2, 40}) {
    small_node node(image_of(messages_of(long_message(elements, 20'000))));
    ASSERT_TRUE(node.run());
    // From the second line on: what each node needs is there.
    EXPECT_EQ(node.memory.at(1), node.memory.back()) << elements;
  }
}

TEST(processor, memory_does_not_grow_over_100000_messages) {
  small_node node(image_of(messages_of(R"(
[class Echo (obj [:say Str (array Int) (@ Str)] [:put Int]) () (state (Int n := 0))
  (script (==> [:say text row] !(str text (length row))) (=> [:put i] [n := i]))]
[class Main (obj []) ()
  (let ((Echo e (new Echo)) (Str last ""))
    (for (i 0 50000)
      (if (= (mod i 5000) 0) (print last))
      [e <= [:put i]]
      [last := [e <== [:say (str "line " i) (make-array 10 i)]]])
    (print last))
  (exit 0)]
)")));
  ASSERT_TRUE(node.run());
  EXPECT_EQ(node.said.back(), "line 4999910");
  EXPECT_EQ(node.memory.at(1), node.memory.back());
  EXPECT_LT(node.cpu().values().size(), 30'000U) << "texts and arrays";
}

TEST(processor, a_long_sequence_gives_texts_back) {
  small_node node(image_of(messages_of(R"(
(function (lengths (Int n) (Str suffix)) Int
  (let ((Int sum 0) ((array Str) kept (make-array 3 "")))
    (for (i 0 n)
      [(aref kept (mod i 3)) := (str i suffix)]
      [sum := (+ sum (length (aref kept 0)) (length suffix))])
    (expect-length sum kept)))
(function (expect-length (Int sum) ((array Str) kept)) Int
  (+ sum (length (aref kept 0)) (length (aref kept 1)) (length (aref kept 2))))
[class Main (obj []) () (print (lengths 200000 (str "ab" "c"))) (exit 0)]
)")));
  ASSERT_TRUE(node.run());
  std::int64_t sum = 0;
  std::string kept[3];
  for (int i = 0; i < 200'000; ++i) {
    kept[i % 3] = std::to_string(i) + "abc";
    sum += static_cast<std::int64_t>(kept[0].size()) + 3;
  }
  for (const std::string& each : kept) sum += static_cast<std::int64_t>(each.size());
  EXPECT_EQ(node.said.back(), std::to_string(sum));
  EXPECT_LT(node.cpu().values().size(), 100'000U);
}

TEST(processor, a_second_reply_is_noticed_at_once_and_when_it_comes_late) {
  EXPECT_EQ(failure_of(R"([class A (obj [:f (@ Int)]) () (script (==> [:f] !1 !2))]
[class Main (obj []) () (let ((A a (new A))) (print [a <== [:f]]) (print [a <== [:f]])) (exit 0)])"),
            "1: a second reply to a question that has been answered");
  // The box has been used by other questions meanwhile.
  EXPECT_EQ(failure_of(R"([class A (obj [:f (@ Int)] [:again]) () (state ((@ Int) last := nil))
  (script (=> [:f to] [last := to] [to <= 1]) (=> [:again] [last <= 2]))]
[class B (obj [:g (@ Int)]) () (script (==> [:g] !7))]
[class Main (obj []) ()
  (let ((A a (new A)) (B b (new B)))
    (print [a <== [:f]])
    (for (i 0 40) [b <== [:g]])
    [a <= [:again]]
    (for (i 0 40) [b <== [:g]]))
  (exit 0)])"),
            "2: a second reply to a question that has been answered");
}

TEST(processor, what_ends_the_job_has_its_line) {
  EXPECT_EQ(failure_of("[class Main (obj []) ()\n (let ((Int n 0)) (print (/ 1 n)))\n (exit 0)]"),
            "2: division by zero");
  EXPECT_EQ(failure_of("[class Main (obj []) ()\n (print (aref (make-array 2 0) 2))\n (exit 0)]"),
            "2: index 2 of an array of 2");
  EXPECT_EQ(failure_of("[class Main (obj []) ()\n (print (length (subarray (array 1 2) 1 3)))\n (exit 0)]"),
            "2: elements 1 to 3 of an array of 2");
  EXPECT_EQ(failure_of("[class Main (obj []) () (state ((array Int) a := (array 1 2)))\n"
                       " [(subarray a 0 1) := a]\n (exit 0)]"),
            "2: an array of 2 for elements 0 to 1");
  EXPECT_EQ(failure_of("[class Main (obj []) ()\n (print (length (make-array 9000000000000000000 0)))\n (exit 0)]"),
            "2: no memory for an array of 9000000000000000000 elements");
  EXPECT_EQ(failure_of("[class Main (obj [:m]) ()\n (let ((Main m nil)) [m <= [:m]])\n (exit 0)\n (script (=> [:m]))]"),
            "2: a message to nil");
  EXPECT_EQ(failure_of("(function (f (Int n)) Int (+ 1 (f n)))\n[class Main (obj []) () (print (f 1)) (exit 0)]"),
            "1: calls are nested too deep");
}

TEST(processor, an_object_that_has_ended_drops_what_nobody_waits_for) {
  EXPECT_EQ(said_by(R"([class A (obj [:end] [:put Int] [:get (@ Int)]) ()
  (script (=> [:end] (suicide)) (=> [:put _]) (==> [:get] !1))]
[class Main (obj []) ()
  (let ((A a (new A))) [a <= [:end]] [a <= [:put 1]] [a <= [:get]] (print "ended"))
  (exit 0)])"),
            lines{"ended"});
}

}  // namespace
}  // namespace abcl::machine
