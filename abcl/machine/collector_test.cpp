// Promise: a program that is compiled with a collector says the same, in memory that does not grow with what it
// forgets. A mark goes to each object that another one's state, or what it keeps while it waits, refers to, and no
// further than once; a segment that is used again is as good as new. Method: nodes without Tsubu (small_node.hpp); for
// marks one whose packets are looked at.
#include <gtest/gtest.h>

#include "tests/abcl/small_node.hpp"

namespace abcl::machine {
namespace {

using code::handler;
using test::image_of;
using test::job_failed;
using test::messages_of;
using test::small_node;
using lines = std::vector<std::string>;
namespace words = code::words;

std::shared_ptr<const registers::image> collected_every(int n, const std::string& text) {
  code::program p = messages_of(text);
  p.collect_every = n;
  return image_of(std::move(p));
}

// ---- marks

// Keeps what leaves.
class watched_node : public small_node {
 public:
  using small_node::small_node;
  void send(int node, const packet& p) override {
    sent.push_back(p);
    nodes.push_back(node);
  }
  std::vector<word> marked_by(word what) {
    sent.clear();
    nodes.clear();
    cpu().execute({name_of(0, 1), what, static_cast<std::uint32_t>(handler::mark), 0, packet::kind::to_node});
    std::vector<word> data;
    for (const packet& p : sent) {
      EXPECT_EQ(p.number, static_cast<std::uint32_t>(handler::mark));
      data.push_back(p.datum);
    }
    return data;
  }
  std::vector<packet> sent;
  std::vector<int> nodes;
};

const char* const parts = R"(
[class Part (obj [:get (@ Int)]) () (state (Part next) (Int n) ((array Part) all) (Float x) ([Int Part] pair) ((@ Int) to))
  (script (==> [:get] !(+ n [next <== [:get]])))]
[class Main (obj []) () (let ((Part p (new Part))) (print [p <== [:get]])) (exit 0)]
)";
constexpr int next_of = words::plain_object, n_of = next_of + 1, all_of = n_of + 1, pair_of_part = all_of + 2,
              to_of = pair_of_part + 2;

TEST(collector, a_mark_goes_to_what_a_state_refers_to_and_no_further) {
  watched_node node(collected_every(0, parts), 2);
  processor& cpu = node.cpu();
  const word a = cpu.new_object(0), b = cpu.new_object(0), c = cpu.new_object(0), d = cpu.new_object(0);
  const word far = name_of(1, 4096);
  cpu.set(a, next_of, b);
  cpu.set(a, n_of, c);  // a number
  cpu.set(a, pair_of_part, c);
  cpu.set(a, pair_of_part + 1, far);
  cpu.set(a, to_of, d);
  cpu.set(a, words::reactive, static_cast<word>(code::reactive::dormant));
  EXPECT_EQ(cpu.get(a, words::colour), 0U);
  EXPECT_EQ(node.marked_by(a), (std::vector<word>{b, far, d}));
  EXPECT_EQ(node.nodes, (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(cpu.get(a, words::colour), 1U);
  EXPECT_EQ(cpu.get(b, words::colour), 0U);
  EXPECT_EQ(node.marked_by(a), std::vector<word>());
  // Three were sent, two came.
  EXPECT_EQ(cpu.get(name_of(0, 0), words::marks), 1U);
  EXPECT_EQ(cpu.done().collector.marks, 2U);
}

TEST(collector, a_mark_goes_to_what_is_kept_over_a_wait_and_in_an_array) {
  watched_node node(collected_every(0, parts), 1);
  processor& cpu = node.cpu();
  const auto& code = cpu.code().classes[0];
  const word a = cpu.new_object(0), b = cpu.new_object(0), c = cpu.new_object(0);
  ASSERT_GT(code.words, to_of + 2);
  cpu.set(a, code.words - 1, b);
  cpu.set(a, words::reactive, static_cast<word>(code::reactive::dormant));
  EXPECT_EQ(node.marked_by(a), std::vector<word>());
  cpu.set(a, words::colour, 0);
  cpu.set(a, words::reactive, static_cast<word>(code::reactive::waiting));
  EXPECT_EQ(node.marked_by(a), std::vector<word>{b});

  const word array = cpu.values().make_array(3, 0, 1);
  cpu.values().array_of(array)->words = {c, 12345, 0};
  cpu.set(c, all_of, array);
  cpu.set(c, words::reactive, static_cast<word>(code::reactive::dormant));
  EXPECT_EQ(node.marked_by(c), std::vector<word>{array});
  EXPECT_EQ(node.marked_by(array), std::vector<word>{c});
}

TEST(collector, what_is_no_object_is_not_marked) {
  watched_node node(collected_every(0, parts), 1);
  const word object = node.cpu().new_object(0);
  const std::size_t memory = node.cpu().memory();
  for (const word w : {word{0}, word{17}, ~word{0}, object + 8, object + 1, object | future_bit, name_of(1, 4096),
                       name_of(0, 1), name_of(0, 64), name_of(0, 0xfffffff8), name_of(0, address_of(object), 3)})
    EXPECT_EQ(node.marked_by(w), std::vector<word>()) << std::hex << w;
  EXPECT_EQ(node.cpu().memory(), memory);
  EXPECT_EQ(node.cpu().get(object, words::colour), 0U);
}

// ---- programs

// Pairs that know each other and that nobody knows; a chain that is kept. New objects expect to find zeros.
const char* const forgetful = R"(
[class Pair (obj [:with Pair] [:fresh (@ Bool)] [:count (@ Int)]) () (state (Pair other) (Int n) (Pair behind))
  (script
    (=> [:with p] [other := p] [n := 7])
    (==> [:fresh] !(and (null? other) (= n 0)))
    (==> [:count] !(if (null? other) 1 (+ 1 [other <== [:count]]))))]
[class Main (obj []) ((Int rounds))
  (let ((Pair kept (new Pair)) (Pair end (new Pair)))
    [kept <= [:with end]]
    [end <= [:with (new Pair)]]
    (for (i 0 rounds)
      (let ((Pair a (new Pair)) (Pair b (new Pair)))
        (expect [a <== [:fresh]])
        (expect [b <== [:fresh]])
        [a <= [:with b]]
        [b <= [:with a]]
        (if (= (mod i 1000) 999) (print (+ i 1)))))
    (print "kept" [kept <== [:count]]))
  (exit 0)]
)";

TEST(collector, memory_does_not_grow_with_what_is_forgotten) {
  for (const int nodes : {1, 3}) {
    small_node node(collected_every(50, forgetful), nodes);
    ASSERT_TRUE(node.run({20'000}));
    EXPECT_EQ(node.said.back(), "kept 3");
    EXPECT_LE(node.memory.back(), node.memory.at(2)) << nodes;
    std::size_t freed = 0;
    for (int i = 0; i < nodes; ++i) {
      EXPECT_LT(node.cpu(i).objects(), 500U);
      freed += node.cpu(i).done().collector.freed;
    }
    EXPECT_GT(freed, 39'000U);
  }
}

TEST(collector, a_memory_that_is_too_small_without_it_is_enough_with_it) {
  const auto said_in = [](std::uint32_t words, int every) -> std::string {
    small_node node(collected_every(every, forgetful));
    node.cpu().limit_memory(words);
    try {
      node.run({20'000});
      return node.said.back();
    } catch (const job_failed& e) {
      return e.what();
    }
  };
  EXPECT_EQ(said_in(20'000, 50), "kept 3");
  EXPECT_EQ(said_in(20'000, 0), "0: node 0 has no memory left");
  EXPECT_EQ(said_in(20'000, -1), "0: node 0 has no memory left");
}

TEST(collector, who_waits_and_what_is_on_its_way_is_kept) {
  // The last one of a chain is known to nobody but to who waits for it; values of futures and texts are on their way.
  const std::string text = R"(
[class Link (obj [:sum Int (@ Int)] [:say Str (@ Str)]) ()
  (script
    (==> [:sum n] !(if (= n 0) 0 (+ n [(new Link) <== [:sum (- n 1)]])))
    (==> [:say s] !(str s s)))]
[class Main (obj []) ()
  (let (((future Str) f (make-future)))
    (for (i 0 20) [(new Link) <= [:say (str "a" i)] $ f])
    (print [(new Link) <== [:sum 200]])
    (for (i 0 20) (expect (>= (length (next-value f)) 4))))
  (exit 0)]
)";
  for (const int nodes : {1, 2, 5}) {
    small_node node(collected_every(1, text), nodes);
    ASSERT_TRUE(node.run());
    EXPECT_EQ(node.said, lines{"20100"}) << nodes;
    EXPECT_GT(node.cpu().done().collector.sweeps, 20U);
  }
}

TEST(collector, what_never_collects_executes_the_same_but_where_segments_are_made) {
  const auto executed = [](int every) {
    small_node node(collected_every(every, forgetful));
    EXPECT_TRUE(node.run({4'000}));
    return node.cpu().done().instructions;
  };
  // Sixteen are made at a time.
  const std::uint64_t without = executed(-1), never = executed(0);
  EXPECT_GT(never, without);
  EXPECT_LE(never - without, 15 * (8'003 / 16 + 1));
}

}  // namespace
}  // namespace abcl::machine
