// Promise: accesses take what the machine's file says, by what is in the caches and who has the bus. Method: on
// ATTEMPT-0, whose figures are published, the accesses are made one by one, and their times known beforehand.
#include "tsubu/sim/memory.hpp"

#include <gtest/gtest.h>

namespace tsubu::sim {
namespace {

using what = memory_access::what;
constexpr std::int64_t ns = 1000;

class memory_of_attempt0 : public testing::Test {
 protected:
  std::int64_t at(std::int64_t ps, pe_id pe, what does, std::uint64_t address = 0) {
    return of.access(pe, ps, {does, address}, 0) / ns;
  }
  // With nobody on the bus.
  std::int64_t alone(pe_id pe, what does, std::uint64_t address = 0) {
    return at(now += 1000'000 * ns, pe, does, address);
  }

  const machine m = read_machine("attempt0");
  memory of{m, 4};
  std::int64_t now = 0;
};

TEST_F(memory_of_attempt0, takes_what_the_file_says) {
  EXPECT_EQ(alone(0, what::local), 250);
  EXPECT_EQ(alone(0, what::shared_write), 750);
  EXPECT_EQ(alone(0, what::synchronizer_read), 200);
  EXPECT_EQ(alone(0, what::synchronizer_write), 650);
  EXPECT_EQ(alone(0, what::fetch_and_dec), 750);
  EXPECT_EQ(alone(0, what::fetch_and_dec_of_zero), 200);
}

TEST_F(memory_of_attempt0, addresses_are_translated_under_a_kernel) {
  EXPECT_EQ(alone(0, what::kernel_call), 0) << "there is none yet";
  EXPECT_EQ(alone(0, what::kernel_begins), 0);
  const std::int64_t call = m.kernel.call / ns, miss = m.kernel.translation_miss / ns;
  ASSERT_GT(miss, 0);
  EXPECT_EQ(alone(0, what::kernel_call), call);
  EXPECT_EQ(alone(0, what::local, 4096), 250 + miss);
  EXPECT_EQ(alone(0, what::local, 8191), 250);
  EXPECT_EQ(alone(0, what::shared_write, 4096), 750 + miss) << "another memory";
  EXPECT_EQ(alone(0, what::shared_write, 4096), 750);
  EXPECT_EQ(alone(0, what::synchronizer_read), 200);
  EXPECT_EQ(alone(1, what::local, 4096), 250) << "no kernel has begun there";
  for (std::uint64_t page = 10; page < 10 + static_cast<std::uint64_t>(m.kernel.translations); ++page)
    alone(0, what::local, 4096 * page);
  EXPECT_EQ(alone(0, what::local, 4096), 250 + miss) << "it has made room";
}

TEST_F(memory_of_attempt0, a_line_is_brought_once) {
  EXPECT_EQ(alone(0, what::shared_read, 128), 18200);
  EXPECT_EQ(alone(0, what::shared_read, 128), 150);
  EXPECT_EQ(alone(0, what::shared_read, 191), 150);
  EXPECT_EQ(alone(0, what::shared_read, 192), 18200);
  EXPECT_EQ(alone(1, what::shared_read, 128), 18200) << "each PE has its own cache";
}

TEST_F(memory_of_attempt0, a_line_makes_room_for_another) {
  EXPECT_EQ(alone(0, what::shared_read, 0), 18200);
  EXPECT_EQ(alone(0, what::shared_read, 65536 - 64), 18200);
  EXPECT_EQ(alone(0, what::shared_read, 0), 150) << "64 KB have room for both";
  EXPECT_EQ(alone(0, what::shared_read, 65536), 18200);
  EXPECT_EQ(alone(0, what::shared_read, 0), 18200);
}

TEST_F(memory_of_attempt0, a_write_takes_the_line_from_the_others) {
  alone(0, what::shared_read, 0);
  alone(1, what::shared_read, 0);
  alone(1, what::shared_read, 64);
  EXPECT_EQ(alone(0, what::shared_write, 4), 750);
  EXPECT_EQ(alone(0, what::shared_read, 0), 150) << "the writer keeps it";
  EXPECT_EQ(alone(1, what::shared_read, 0), 18200);
  EXPECT_EQ(alone(1, what::shared_read, 64), 150) << "another line";
}

TEST_F(memory_of_attempt0, the_bus_serves_one_at_a_time) {
  EXPECT_EQ(at(0, 0, what::shared_write), 750);
  EXPECT_EQ(at(0, 1, what::shared_write), 450 + 750);
  EXPECT_EQ(at(100 * ns, 2, what::fetch_and_dec), 800 + 750);
  EXPECT_EQ(at(100 * ns, 3, what::synchronizer_read), 200) << "no bus";
  EXPECT_EQ(at(100 * ns, 3, what::fetch_and_dec_of_zero), 200) << "no bus";
}

TEST_F(memory_of_attempt0, what_comes_later_may_be_earlier) {
  EXPECT_EQ(at(10'000 * ns, 0, what::shared_write), 750);
  EXPECT_EQ(at(1000 * ns, 1, what::shared_write), 750) << "before it";
  EXPECT_EQ(at(9700 * ns, 2, what::shared_write), 750 + 750) << "300 ns are too few: behind it";
}

TEST(calendar, joins_and_forgets) {
  calendar c;
  EXPECT_EQ(c.take(100, 10), 100);
  EXPECT_EQ(c.take(120, 10), 120);
  EXPECT_EQ(c.size(), 2U);
  EXPECT_EQ(c.take(105, 10), 110) << "between them, exactly";
  EXPECT_EQ(c.size(), 1U);
  EXPECT_EQ(c.take(90, 20), 130);
  c.forget_before(149);
  EXPECT_EQ(c.size(), 1U);
  c.forget_before(150);
  EXPECT_EQ(c.size(), 0U);
}

TEST_F(memory_of_attempt0, data_lie_behind_each_other_in_whole_words) {
  long a = 0, b = 0, c = 0;
  EXPECT_EQ(of.find(7), nullptr);
  of.place(7, &a, 8);
  of.place(8, &b, 5);
  of.place(9, &c, 4);
  EXPECT_EQ(of.find(7)->value, &a);
  EXPECT_EQ(of.find(7)->address, 0U);
  EXPECT_EQ(of.find(8)->address, 8U);
  EXPECT_EQ(of.find(9)->address, 16U);
  of.remove(8);
  EXPECT_EQ(of.find(8), nullptr);
  EXPECT_EQ(of.find(9)->value, &c);
}

}  // namespace
}  // namespace tsubu::sim
