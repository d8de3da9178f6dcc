// Promise: the table finds what is in it and nothing else, with its value and its counts, whatever came and went
// before, in memory that follows what is in it. Method: random additions and removals, beside a map.
#include "tsubu/data/variables/copy_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace tsubu::data {
namespace {

key name_of(std::uint32_t n) {
  return n % 3 == 0 ? key::of_element(n % 7, n) : key::of_variable(static_cast<pe_id>(n % 5), n, n % 2);
}

void set(copy& c, std::uint64_t value, bool in_a_word) {
  const copy::state s = value % 2 == 0 ? copy::state::shared : copy::state::modified;
  if (in_a_word) {
    c.set(s, std::uint64_t{value});
  } else {
    c.set(s, std::to_string(value));
  }
}
void expect_value(copy& c, std::uint64_t value, bool in_a_word) {
  ASSERT_TRUE(c.can_read());
  ASSERT_EQ(c.can_write(), value % 2 != 0);
  if (in_a_word) {
    ASSERT_EQ(c.value<std::uint64_t>(), value);
  } else {
    ASSERT_EQ(c.value<std::string>(), std::to_string(value));
  }
}

TEST(CopyTable, FindsWhatIsInIt) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    copy_table table;
    std::map<std::uint64_t, std::uint64_t> expected;  // values, by name
    const std::uint32_t names = seed % 2 == 0 ? 50 : 5000;
    const bool in_a_word = seed % 3 != 0;
    for (int i = 0; i < 20'000; ++i) {
      const key name = name_of(static_cast<std::uint32_t>(random() % names));
      const auto there = expected.find(name.bits());
      copy* const found = table.find(name);
      ASSERT_EQ(found != nullptr, there != expected.end());
      if (found != nullptr) {
        expect_value(*found, there->second, in_a_word);
        found->set_invalid();
        table.remove(name);
        expected.erase(there);
      } else {
        const std::uint64_t value = random();
        set(table.make(name), value, in_a_word);
        expected[name.bits()] = value;
      }
      ASSERT_EQ(table.size(), expected.size());
    }
    std::size_t seen = 0;
    table.for_each([&](key name, copy& c) {
      ++seen;
      expect_value(c, expected.at(name.bits()), in_a_word);
    });
    EXPECT_EQ(seen, expected.size());
    EXPECT_LE(table.bytes(), 128 * std::max<std::size_t>(names, 16));
  }
}

TEST(CopyTable, HoldsARowOfCopiesInFewBytes) {
  copy_table table;
  for (std::uint32_t n = 0; n < 100'000; ++n) table.make(key::of_variable(1, n, 0)).set(copy::state::shared, 5L);
  EXPECT_LE(table.bytes(), 32U * 100'000);
}

class counted final : public waiting_access {
 public:
  counted(copy& c, int& order) : copy_(c), order_(order) {}
  void look_again() override {
    could_read = copy_.can_read();
    turn = ++order_;
  }
  int turn = 0;
  bool could_read = false;

 private:
  copy& copy_;
  int& order_;
};

TEST(Copy, IsNotUsedWhileAnAccessIsUnderWay) {
  copy c;
  c.set(copy::state::modified, 7L);
  c.count_read();
  c.count_write();
  c.count_write();
  c.begin_access();
  c.begin_access();
  EXPECT_FALSE(c.can_read());
  EXPECT_EQ(c.has(), copy::state::modified);
  int order = 0;
  counted first(c, order), second(c, order), third(c, order);
  c.wait(first);
  c.wait(second);
  c.wait(third);
  c.forget(second);
  c.end_access();
  c.wake_waiting();
  EXPECT_EQ(first.turn, 0);
  c.end_access();
  c.wake_waiting();
  EXPECT_EQ(first.turn, 1);
  EXPECT_EQ(second.turn, 0);
  EXPECT_EQ(third.turn, 2);
  EXPECT_TRUE(first.could_read);
  EXPECT_TRUE(c.can_write());
  EXPECT_EQ(c.value<long>(), 7);
  const copy::uses used = c.take_used();
  EXPECT_EQ(used.reads, 1U);
  EXPECT_EQ(used.writes, 2U);
  EXPECT_EQ(c.used().writes, 0U);
}

TEST(Copy, IsThereWhileAccessesAreUnderWayOnly) {
  copy c;
  c.begin_access();
  c.begin_access();
  EXPECT_EQ(c.under_way(), 2U);
  EXPECT_EQ(c.take_used().reads, 0U);
  c.set_invalid();
  c.end_access();
  c.wake_waiting();
  EXPECT_FALSE(c.unused());
  EXPECT_FALSE(c.can_read());
  int order = 0;
  counted waits(c, order);
  c.wait(waits);
  c.set(copy::state::shared, 3L);
  EXPECT_FALSE(c.can_read());
  c.end_access();
  c.wake_waiting();
  EXPECT_TRUE(waits.could_read);
  EXPECT_EQ(c.value<long>(), 3);
  c.set_invalid();
  c.begin_access();
  c.end_access();
  c.wake_waiting();
  EXPECT_TRUE(c.unused());
}

TEST(Copy, StaysWhileItsNewValueFollows) {
  copy c;
  c.set(copy::state::shared, std::string("old"));
  c.set_invalid();
  c.set_value_follows(true);
  c.wake_waiting();
  EXPECT_FALSE(c.unused());
  EXPECT_TRUE(c.value_follows());
  c.set_value_follows(false);
  c.set(copy::state::shared, std::string("new"));
  c.wake_waiting();
  EXPECT_TRUE(c.can_read());
  EXPECT_EQ(c.value<std::string>(), "new");
  c.set_invalid();
  EXPECT_TRUE(c.unused());
}

}  // namespace
}  // namespace tsubu::data
