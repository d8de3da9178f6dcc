// Promise: the steps of a protocol are read as they are written; what no message could do is refused where it stands,
// with what came and why.
#include "tsubu/sim/steps.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tsubu::sim {
namespace {

constexpr unit units[] = {{"clocks", 100}, {"ps", 1}};
constexpr measure durations{units, 0, 1e6, "a duration"};

std::vector<step> read(const std::vector<std::string>& texts) {
  step_reader reads(durations);
  for (const std::string& text : texts) {
    if (const auto wrong = reads.read(text)) ADD_FAILURE() << wrong->came;
  }
  return reads.steps();
}

// What is said of the last of the texts; "" if it is right.
std::string wrong(const std::vector<std::string>& texts) {
  step_reader reads(durations);
  std::string said;
  for (const std::string& text : texts) {
    EXPECT_EQ(said, "") << text;
    const auto found = reads.read(text);
    said = found ? found->came : "";
  }
  return said;
}

TEST(steps, one_after_the_other) {
  const auto steps = read({" sender 10 clocks", "packet", "receiver 3 ps ", "packet back", "message 5 words"});
  ASSERT_EQ(steps.size(), 5U);
  EXPECT_EQ(steps[0].does, step::what::sender);
  EXPECT_EQ(steps[0].ps, 1000);
  EXPECT_EQ(steps[2].does, step::what::receiver);
  EXPECT_EQ(steps[2].ps, 3);
  EXPECT_EQ(steps[3].does, step::what::packet_back);
  EXPECT_EQ(steps[4].header_words, 5);
}

TEST(steps, for_each_word) {
  const auto steps = read({"each word: sender 2 clocks, packet, memory 1 clocks", "sender 1 ps", "packet"});
  ASSERT_EQ(steps.size(), 5U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(steps[i].each_word) << i;
  EXPECT_FALSE(steps[3].each_word);
}

TEST(steps, a_packet_is_needed) {
  step_reader reads(durations);
  EXPECT_FALSE(reads.read("sender 1 ps"));
  EXPECT_FALSE(reads.has_packet());
  EXPECT_FALSE(reads.read("packet"));
  EXPECT_TRUE(reads.has_packet());
}

TEST(steps, what_no_message_could_do) {
  EXPECT_EQ(wrong({"receiver 1 ps"}), "\"receiver 1 ps\", before a packet to the receiver");
  EXPECT_EQ(wrong({"packet", "sender 1 ps"}), "\"sender 1 ps\", after a packet to the receiver");
  EXPECT_EQ(wrong({"packet back"}), "\"packet back\", before a packet to the receiver");
  EXPECT_EQ(wrong({"each word: packet back"}), "\"packet back\" for each word");
  EXPECT_EQ(wrong({"memory 1 ps"}), "\"memory 1 ps\", not in \"each word:\"");
  EXPECT_EQ(wrong({"packet", "leave 1 ps", "packet back"}), "\"packet back\", after the sender has left");
  EXPECT_EQ(wrong({"resume 1 ps"}), "\"resume 1 ps\", before a packet to the receiver");
  EXPECT_EQ(wrong({"packet", "resume 1 ps", "receiver 1 ps"}), "\"receiver 1 ps\", after a task has gone on");
  EXPECT_EQ(wrong({"packet", "receiver 1 ps", "interface 1 ps"}), "\"interface 1 ps\", not behind a packet");
  EXPECT_EQ(wrong({"packet", "interface 1 ps", "receiver 1 ps"}),
            "\"receiver 1 ps\", after an interface has executed it");
  EXPECT_EQ(wrong({"message 5 bits"}), "\"message 5 bits\"");
  EXPECT_EQ(wrong({"jump"}), "\"jump\"");
}

TEST(steps, durations) {
  EXPECT_EQ(wrong({"sender 5 nz"}), "\"5 nz\", and there is no unit 'nz', only clocks, ps");
  EXPECT_EQ(wrong({"sender 5"}), "\"5\", which has no unit");
  EXPECT_EQ(wrong({"sender -5 ps"}), "\"-5 ps\", which is negative");
  EXPECT_EQ(wrong({"sender x"}), "\"x\", which does not begin with a number");
  EXPECT_EQ(wrong({"sender 2000000 ps"}), "\"2000000 ps\", which is too much");
  step_reader reads(durations);
  const auto found = reads.read("sender 5");
  ASSERT_TRUE(found);
  EXPECT_STREQ(found->expected, "a duration");
}

}  // namespace
}  // namespace tsubu::sim
