// Promise: on each link so many batches may be on the way, and no more; who asks is told there is credit when half of
// them have been released; what is sent all the same waits and leaves in order; a PE's batches to itself pass through
// the window, too. Method: a window, and two endpoints, over a transport that the test holds in its hands.
#include "tsubu/message/credit_window.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "tests/two_endpoints.hpp"
#include "tsubu/message/loopback_queue.hpp"

namespace tsubu::message {
namespace {

using namespace test;
using senders = two_endpoints;

TEST_F(senders, are_held_back) {
  EXPECT_TRUE(a.has_credit(1));
  for (int i = 0; i < credit_window::most_batches; ++i) {
    EXPECT_TRUE(a.has_credit(1));
    a.send<empty_handler>(1);
    a.flush(flush_reason::idle);
    EXPECT_FALSE(a.has_credit(1)) << "a sender lets what arrives in after each batch";
    EXPECT_FALSE(run(a));
  }
  EXPECT_FALSE(a.has_credit(1));
  EXPECT_TRUE(a.has_credit(0)) << "only towards that PE";
  run(b);
  run(a);
  EXPECT_FALSE(a.has_credit(1)) << "not for every single batch";
  run_all(b);
  run(a);
  EXPECT_TRUE(a.has_credit(1));
  EXPECT_LE(wires[0].batches_made(), static_cast<std::size_t>(credit_window::most_batches) + 1);
}

class window_test : public ::testing::Test {
 protected:
  window_test() { wire::number_handlers(); }
  void post(int link) {
    transport::batch* b = wires[0].acquire();
    b->size = 4;
    std::memcpy(b->data(), &posted_, sizeof posted_);
    ++posted_;
    window.post(link, b, {});
  }
  // The number of the next batch that comes to PE 1, which releases it; -1 if none does.
  int take() {
    transport::batch* b = wires[1].poll();
    if (b == nullptr) return -1;
    int number = 0;
    std::memcpy(&number, b->data(), sizeof number);
    wires[1].release(b);
    return number;
  }

  int posted_ = 0;
  loopback wires{2};
  credit_window window{wires[0], limits()};
};

TEST_F(window_test, what_is_sent_beyond_the_credit_waits_and_leaves_in_order) {
  constexpr int limit = credit_window::most_batches;
  for (int i = 0; i < 3 * limit; ++i) post(1);
  EXPECT_EQ(wires[0].on_the_way(1), limit);
  EXPECT_TRUE(window.holds(1));
  EXPECT_FALSE(window.holds(0)) << "the PE's own link is another";
  EXPECT_FALSE(window.has_credit(1));
  EXPECT_TRUE(window.has_credit(0));
  EXPECT_FALSE(window.has_credit_everywhere());
  EXPECT_EQ(window.under_way(), static_cast<std::uint64_t>(limit) + 1);
  for (int next = 0; next < 3 * limit; ++next) {
    ASSERT_EQ(take(), next);
    if (next % 5 == 0) window.begin_turn();
    ASSERT_LE(wires[0].on_the_way(1), limit);
    if (wires[1].waiting() == 0) window.begin_turn();
  }
  EXPECT_FALSE(window.holds_any());
  window.begin_turn();
  EXPECT_TRUE(window.has_credit_everywhere());
}

TEST_F(window_test, one_batch_a_turn) {
  post(1);
  EXPECT_FALSE(window.has_credit(1)) << "a sender lets one in for each it sends";
  window.begin_turn();
  EXPECT_TRUE(window.has_credit(1));
}

TEST_F(window_test, those_who_wait_are_not_overtaken_for_ever) {
  post(1);
  for (const bool everywhere : {false, true}) {
    const auto has_turn = [&] { return everywhere ? window.has_turn_everywhere() : window.has_turn(1); };
    for (std::uint32_t left = 1; left < credit_window::most_overtaking; ++left) {
      ASSERT_FALSE(has_turn()) << left;
      window.begin_turn();
      post(1);
      ASSERT_EQ(take(), posted_ - 2);
    }
    window.begin_turn();
    post(1);
    take();
    EXPECT_FALSE(window.has_credit(1)) << "only for those who wait";
    EXPECT_TRUE(has_turn());
    EXPECT_FALSE(has_turn()) << "one of them";
  }
}

TEST_F(window_test, nobody_passes_while_nothing_leaves) {
  constexpr int limit = credit_window::most_batches;
  for (int i = 0; i < limit; ++i) post(1);
  for (std::uint32_t i = 0; i < 4 * credit_window::most_overtaking; ++i) {
    window.begin_turn();
    post(0);
    wires[0].release(window.loopback().pop());
    ASSERT_FALSE(window.has_turn(1));
    ASSERT_FALSE(window.has_turn_everywhere());
  }
}

// Lands bulks in its own bytes.
struct shelf final : transport::receiver {
  std::byte* place(pe_id, std::span<const std::byte>, std::size_t bytes) override {
    landed.emplace_back(bytes);
    return landed.back().data();
  }
  message_facts facts_of(transport::batch&, std::size_t) const override { return {}; }
  std::deque<std::vector<std::byte>> landed;
};

TEST_F(window_test, loopback_keeps_the_order_and_lands_bulks_when_they_are_taken) {
  const std::vector<std::byte> bytes(100, std::byte{7});
  int told = 0;
  shelf there;
  post(0);
  transport::batch* head = wires[0].acquire();
  head->size = 4;
  window.post(0, head, {bytes, [](void* count) { ++*static_cast<int*>(count); }, &told});
  post(0);
  loopback_queue& own = window.loopback();
  EXPECT_EQ(own.size(), 3);
  EXPECT_EQ(wires[0].on_the_way(1), 0);
  transport::batch* first = own.pop();
  EXPECT_FALSE(first->is_bulk());
  transport::batch* second = own.pop();
  ASSERT_EQ(second, head);
  EXPECT_EQ(told, 0);
  own.land(second, 0, there);
  EXPECT_EQ(told, 1);
  EXPECT_EQ(there.landed.back(), bytes);
  EXPECT_NE(own.pop(), nullptr);
  EXPECT_EQ(own.pop(), nullptr);
  EXPECT_TRUE(own.empty());
}

}  // namespace
}  // namespace tsubu::message
