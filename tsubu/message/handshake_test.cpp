// Promise: before anything is executed a PE finds out whether the others run the same program and send in the same way;
// what comes meanwhile from PEs that know already is not lost. Method: both ends of a transport in one thread, the
// other PE's handshake written by hand.
#include "tsubu/message/handshake.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/loopback.hpp"
#include "tsubu/message/batch_format.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::message {
namespace {

class handshake_test : public ::testing::Test {
 protected:
  handshake_test() { wire::number_handlers(); }
  void post(pe_id from, std::uint32_t handler, std::uint64_t digest, std::int32_t hops, std::size_t bytes = 16) {
    transport::batch* b = wires[from].acquire();
    const auto handlers = static_cast<std::uint32_t>(wire::handlers().size() - 1);
    format::write(b->data(), {handler, static_cast<std::uint32_t>(bytes)});
    std::memcpy(b->data() + 8, &digest, sizeof digest);
    std::memcpy(b->data() + 16, &handlers, sizeof handlers);
    std::memcpy(b->data() + 20, &hops, sizeof hops);
    b->size = static_cast<std::uint32_t>(8 + bytes);
    wires[from].post(b, 1 - from);
  }

  test::loopback wires{2};
  transport::batch_queue early;
};

TEST_F(handshake_test, of_one_program) {
  post(1, wire::handshake_number, wire::handlers_digest(), 1);
  shake_hands(wires[0], early);
  EXPECT_TRUE(early.empty());
  EXPECT_EQ(wires[1].waiting(), 1U) << "PE 0 tells PE 1 that all agree";
  shake_hands(wires[1], early);
  EXPECT_TRUE(early.empty());
}

TEST_F(handshake_test, keeps_what_comes_early) {
  const std::uint32_t codes[] = {wire::code_of(1), wire::code_of(2) | format::in_bulk};
  for (const std::uint32_t code : codes) post(0, code, 0, 0);
  post(0, wire::handshake_number, wire::handlers_digest(), 1);
  shake_hands(wires[1], early);
  ASSERT_EQ(early.size(), 2);
  for (const std::uint32_t code : codes) EXPECT_EQ(format::read(early.pop()->data()).handler, code);
}

using handshake_death = handshake_test;

TEST_F(handshake_death, of_two_programs) {
  post(1, wire::handshake_number, wire::handlers_digest() + 1, 1);
  EXPECT_EXIT(shake_hands(wires[0], early), ::testing::ExitedWithCode(1),
              "PE 1 runs another program than PE 0: .* Start the same binary on all PEs");
}
TEST_F(handshake_death, over_other_links) {
  post(1, wire::handshake_number, wire::handlers_digest(), 3);
  EXPECT_EXIT(shake_hands(wires[0], early), ::testing::ExitedWithCode(1),
              "PE 1 sends over 3 hops, PE 0 over 1: give all the same --tsubu-hops");
}
TEST_F(handshake_death, of_another_length) {
  post(1, wire::handshake_number, wire::handlers_digest(), 1, 24);
  EXPECT_EXIT(shake_hands(wires[0], early), ::testing::ExitedWithCode(1), "a handshake of 32 bytes from PE 1");
}
TEST_F(handshake_death, damaged) {
  for (const std::uint32_t bit : {0U, 7U, 23U, 29U, 31U}) {
    post(0, wire::handshake_number ^ (1U << bit), wire::handlers_digest(), 1);
    EXPECT_EXIT(shake_hands(wires[1], early), ::testing::ExitedWithCode(1),
                "PE 0 sent neither a handshake nor a message");
    wires[1].release(wires[1].poll());
  }
}
TEST_F(handshake_death, message_before_it) {
  post(1, wire::code_of(1), 0, 0);
  EXPECT_EXIT(shake_hands(wires[0], early), ::testing::ExitedWithCode(1), "PE 1 sent a message before the handshake");
}

}  // namespace
}  // namespace tsubu::message
