// Promise: an arrived batch is released when it has been executed, unless packets of it that are passed on wait for
// credit; then when the last of them waits no longer, and a bulk that came with it has left. Method: batches between
// two ends in one thread; the sender counts as on the way what the receiver has not released.
#include "tsubu/message/held_arrivals.hpp"

#include <gtest/gtest.h>

#include "tests/loopback.hpp"

namespace tsubu::message {
namespace {

class held_arrivals_test : public ::testing::Test {
 protected:
  transport::batch* arrive() {
    transport::batch* b = wires[0].acquire();
    b->size = 1;
    wires[0].post(b, 1);
    return wires[1].poll();
  }
  int unreleased() const { return wires[0].on_the_way(1); }

  mutable test::loopback wires{2};
  held_arrivals held{wires[1]};
};

TEST_F(held_arrivals_test, what_is_executed_here_is_released) {
  held.begin(arrive());
  EXPECT_EQ(held.hold(), nullptr) << "what a handler sends holds nothing";
  EXPECT_EQ(unreleased(), 1);
  held.end();
  EXPECT_EQ(unreleased(), 0);
}

TEST_F(held_arrivals_test, what_is_passed_on_is_held_until_its_last_packet_has_left) {
  held.begin(arrive());
  held.begin_forwarding();
  held_arrivals::held* const first = held.hold();
  EXPECT_EQ(held.hold(), first) << "two batches with packets of one arrival";
  held.end_forwarding();
  held.end();

  held.begin(arrive());
  held.begin_forwarding();
  held_arrivals::held* const other = held.hold();
  held.end_forwarding();
  held.end();
  EXPECT_NE(other, first);

  EXPECT_EQ(unreleased(), 2);
  held.let_go(*first);
  EXPECT_EQ(unreleased(), 2);
  held.let_go(*first);
  EXPECT_EQ(unreleased(), 1);
  held.let_go(*other);
  EXPECT_EQ(unreleased(), 0);
}

TEST_F(held_arrivals_test, a_bulk_is_kept_until_it_has_left) {
  held.begin(arrive());
  const transport::bulk_source source = held.keep(std::make_unique<std::byte[]>(1000), 1000);
  held.end();
  EXPECT_EQ(held.kept_bytes(), 1000U);
  EXPECT_EQ(source.bytes.size(), 1000U);
  EXPECT_EQ(unreleased(), 1);
  source.done(source.argument);
  EXPECT_EQ(held.kept_bytes(), 0U);
  EXPECT_EQ(unreleased(), 0);
}

}  // namespace
}  // namespace tsubu::message
