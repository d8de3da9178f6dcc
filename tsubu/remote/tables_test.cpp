// Promise: a slot is answered once, by what it was opened for; a segment is reached by its number, within
// its bounds, while it is there; numbers used again do not fit those who held them before. A packet of a collective and
// the task that waits for it meet by key and sender, whoever comes first.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "tsubu/base/check.hpp"
#include "tsubu/base/job_names.hpp"
#include "tsubu/remote/collectives/collective_box.hpp"
#include "tsubu/remote/memory/segments.hpp"
#include "tsubu/remote/messages/reply.hpp"

namespace tsubu::remote {
namespace {

struct sink final : value_sink<int> {
  void value(int) override {}
  void error(std::exception_ptr) override {}
};

TEST(reply_table, a_slot_is_taken_once) {
  reply_table table;
  sink first, second;
  const reply_address a = table.open(3, first, &reply_type<int>, 1, nullptr);
  const reply_address b = table.open(3, second, &reply_type<int>, 2, nullptr);
  EXPECT_EQ(a.pe, 3);
  EXPECT_NE(a.slot, b.slot);
  EXPECT_EQ(table.describe(&first), "PE 1");
  EXPECT_EQ(table.look(1, a.slot, a.generation, &reply_type<int>), &first);
  EXPECT_EQ(table.take(1, a.slot, a.generation, &reply_type<int>), &first);
  EXPECT_EQ(table.take(2, b.slot, b.generation, nullptr), &second) << "an error fits every type";
  EXPECT_EQ(table.describe(&first), "");
  EXPECT_EXIT(table.take(1, a.slot, a.generation, &reply_type<int>), testing::ExitedWithCode(1),
              "PE 1 answers reply slot 0, generation 1, but its generation is 2");
}

TEST(close_address, names_what_the_near_one_does_or_does_not_fit) {
  const auto id = [](std::uint32_t index, std::uint32_t generation) { return segment_id{generation << 20 | index}; };
  for (const std::uint32_t index : {0U, 7U, 15U}) {
    for (const std::uint32_t generation : {0U, 3U, 255U}) {
      for (const std::uint64_t offset : {0U, 8U, 800'000U, 8U * ((1U << 20) - 1)}) {
        const segment_id segment = id(index, generation);
        ASSERT_TRUE(close_address<8>::fits(segment, offset));
        EXPECT_EQ(close_address<8>::of(segment, offset).near().word, near_address::of(segment, offset).word);
      }
    }
  }
  EXPECT_FALSE(close_address<8>::fits(id(16, 0), 0));
  EXPECT_FALSE(close_address<8>::fits(id(0, 256), 0));
  EXPECT_FALSE(close_address<8>::fits(id(0, 0), 4)) << "where no value of 8 bytes may stand";
  EXPECT_FALSE(close_address<8>::fits(id(0, 0), 8U << 20));
  EXPECT_EQ(close_address<12>::of(id(1, 2), 4).near().word, near_address::of(id(1, 2), 4).word);
  EXPECT_EQ(close_address<3>::of(id(1, 2), 5).near().word, near_address::of(id(1, 2), 5).word);
}

TEST(reply_table, a_slot_is_used_again_with_another_generation) {
  reply_table table;
  sink s;
  const reply_address a = table.open(0, s, &reply_type<int>, 0, nullptr);
  table.take(0, a.slot, a.generation, &reply_type<int>);
  const reply_address b = table.open(0, s, &reply_type<int>, 0, nullptr);
  EXPECT_EQ(a.slot, b.slot);
  EXPECT_NE(a.generation, b.generation);
  EXPECT_EXIT(table.look(5, a.slot, a.generation, &reply_type<int>), testing::ExitedWithCode(1), "its generation is 3");
}

TEST(reply_table, an_abandoned_slot_stays_until_its_answer) {
  reply_table table;
  sink s;
  const reply_address a = table.open(0, s, &reply_type<int>, 0, nullptr);
  table.abandon(a);
  const reply_address b = table.open(0, s, &reply_type<int>, 0, nullptr);
  EXPECT_NE(a.slot, b.slot);
  EXPECT_EQ(table.take(0, a.slot, a.generation, &reply_type<int>), nullptr);
  table.abandon(a);  // too late, and harmless
}

TEST(reply_table, wrong_answers) {
  reply_table table;
  sink s;
  const reply_address a = table.open(0, s, &reply_type<int>, 0, nullptr);
  EXPECT_EXIT(table.take(4, a.slot, a.generation, &reply_type<long>), testing::ExitedWithCode(1),
              "PE 4 answers reply slot 0, .* it waits for a value of another type");
  EXPECT_EXIT(table.take(4, 17, 1, &reply_type<int>), testing::ExitedWithCode(1), "slot 17, .* there are 1 slots");
  EXPECT_EXIT(table.take(4, 0, 0, &reply_type<int>), testing::ExitedWithCode(1),
              "generation 0, but its generation is 1");
}

TEST(segment_table, bounds) {
  segment_table table;
  std::vector<std::byte> memory(100);
  const segment_id id = table.add(memory.data(), memory.size());
  EXPECT_EQ(table.at(id, 0, 100, 1), memory.data());
  EXPECT_EQ(table.at(id, 99, 1, 1), memory.data() + 99);
  EXPECT_EQ(table.at(id, 100, 0, 1), memory.data() + 100);
  EXPECT_EXIT(table.at(id, 99, 2, 1), testing::ExitedWithCode(1), "PE 1 names bytes 99 to 101 of a segment of 100");
  EXPECT_EXIT(table.at(id, 101, 0, 1), testing::ExitedWithCode(1), "bytes 101");
  EXPECT_EXIT(table.at(id, ~std::uint64_t{0}, 2, 1), testing::ExitedWithCode(1), "of a segment of 100")
      << "sums wrap around";
  EXPECT_EXIT(table.at(id, 2, ~std::uint64_t{0}, 1), testing::ExitedWithCode(1), "of a segment of 100");
  table.drop(id, 1);
  EXPECT_EXIT(table.at(id, 0, 1, 7), testing::ExitedWithCode(1),
              "PE 7 names segment 0, generation 1, which is not here");
  EXPECT_EXIT(table.drop(id, 7), testing::ExitedWithCode(1), "not here");
}

TEST(segment_table, a_number_is_used_again_with_another_generation) {
  segment_table table;
  std::byte memory[8];
  const segment_id first = table.add(memory, 8);
  table.drop(first, 0);
  const segment_id second = table.add(memory, 8);
  EXPECT_NE(first, second);
  EXPECT_EXIT(table.at(first, 0, 1, 0), testing::ExitedWithCode(1), "not here");
  EXPECT_EQ(table.at(second, 0, 1, 0), memory);
  EXPECT_EXIT(table.at(segment_id{12345}, 0, 1, 0), testing::ExitedWithCode(1), "segment 12345");
}

// In a process of its own: names of later jobs begin elsewhere, and other tests have the first one's.
[[noreturn]] void use_a_name_of_an_earlier_job() {
  std::vector<std::byte> memory(8);
  detail::job_names::next_job();
  segment_id old = 0;
  {
    segment_table table;
    for (int i = 0; i < 3; ++i) table.drop(table.add(memory.data(), 8), 0);
    old = table.add(memory.data(), 8);
  }
  detail::job_names::next_job();
  segment_table table;
  for (int i = 0; i < 10; ++i) {
    const segment_id now = table.add(memory.data(), 8);
    if (segment_table::number(now) != segment_table::number(old) || now == old) std::_Exit(3);
    if (i == 9) table.at(old, 0, 1, 7);
    table.drop(now, 0);
  }
  std::_Exit(4);
}
TEST(segment_table, a_name_of_an_earlier_job_is_found_out) {
  EXPECT_EXIT(use_a_name_of_an_earlier_job(), testing::ExitedWithCode(1),
              "PE 7 names segment 0, .*or of an earlier job");
}

TEST(segment_table, what_is_dropped_is_destroyed_when_the_last_pin_is_gone) {
  static std::vector<void*> destroyed;
  destroyed.clear();
  const auto destroy = [](void* base, std::size_t) { destroyed.push_back(base); };
  std::byte memory[4];
  std::vector<void*> wanted;
  {
    segment_table table;
    const segment_id pinned = table.add(&memory[0], 1, destroy);
    const segment_id free = table.add(&memory[1], 1, destroy);
    const segment_id in_use = table.add(&memory[2], 1, destroy);
    table.pin(pinned);
    table.pin(pinned);
    table.pin(in_use);
    table.drop(pinned, 0);
    EXPECT_EXIT(table.at(pinned, 0, 1, 7), testing::ExitedWithCode(1), "not here");
    table.drop(free, 0);
    EXPECT_EQ(destroyed, (wanted = {&memory[1]}));
    EXPECT_EQ(segment_table::number(table.add(&memory[3], 1, destroy)), segment_table::number(free));
    table.unpin(pinned);
    table.unpin(in_use);
    EXPECT_EQ(destroyed, wanted);
    table.unpin(pinned);
    wanted.push_back(&memory[0]);
    EXPECT_EQ(destroyed, wanted);
    EXPECT_EQ(segment_table::number(table.add(&memory[0], 1, destroy)), segment_table::number(pinned));
    table.pin(in_use);
    table.drop(in_use, 0);
    EXPECT_EQ(destroyed, wanted);
  }
  EXPECT_EQ(destroyed.size(), 5U) << "and at the end, too, once each";
}

TEST(recent_segment, the_same_bounds_as_the_table) {
  segment_table table;
  std::vector<std::byte> memory(100), other(100), small(7);
  const segment_id a = table.add(memory.data(), memory.size());
  const segment_id b = table.add(other.data(), other.size());
  const segment_id c = table.add(small.data(), small.size());
  recent_segment<8> recent(table, 3);
  EXPECT_EQ(recent.at(near_address::of(a, 92)), memory.data() + 92);
  EXPECT_EQ(recent.at(near_address::of(a, 0)), memory.data());
  EXPECT_EQ(recent.at(near_address::of(b, 5)), other.data() + 5);
  EXPECT_EQ(recent.at(near_address::of(a, 1)), memory.data() + 1);
  EXPECT_EXIT(recent.at(near_address::of(a, 93)), testing::ExitedWithCode(1),
              "PE 3 names bytes 93 to 101 of a segment");
  EXPECT_EXIT(recent.at(near_address::of(b, 0xffffffff)), testing::ExitedWithCode(1), "PE 3 names bytes 4294967295");
  EXPECT_EXIT(recent.at(near_address::of(c, 0)), testing::ExitedWithCode(1), "bytes 0 to 8 of a segment of 7");
  EXPECT_EXIT(recent.at(near_address::of(a + 3, 0)), testing::ExitedWithCode(1), "not here");
}

TEST(segment_table, memory_of_no_bytes) {
  segment_table table;
  const segment_id id = table.add(nullptr, 0);
  EXPECT_EQ(table.at(id, 0, 0, 0), nullptr);
  table.drop(id, 0);
}

TEST(segment_table, destroys_what_it_was_given) {
  static int destroyed;
  destroyed = 0;
  std::byte memory[8];
  auto destroy = [](void*, std::size_t bytes) { destroyed += static_cast<int>(bytes); };
  {
    segment_table table;
    table.drop(table.add(memory, 3, destroy), 0);
    EXPECT_EQ(destroyed, 3);
    table.add(memory, 5, destroy);
  }
  EXPECT_EQ(destroyed, 8) << "and what is left, at its end";
}

constexpr team_id some_team{1, 5};
collective_box::described described(team_id team, std::uint32_t call, pe_id from) {
  return {{.team = team, .call = call, .operation = 0, .root = 0, .file = 0, .line = 7, .kind = 3, .step = 2},
          from,
          &typeid(int),
          &typeid(int)};
}
collective_box::packet* packet_of(team_id team, std::uint32_t call, pe_id from, int value) {
  return new collective_box::value_packet<int>(described(team, call, from), value);
}

TEST(collective_box, a_packet_waits_for_who_asks_for_it) {
  collective_box box(0, 4);
  box.teams.whole().calls = 2;
  box.add_packet(packet_of(whole_job, 1, 1, 10));
  box.add_packet(packet_of(whole_job, 1, 2, 20));
  box.add_packet(packet_of(some_team, 1, 1, 30));
  EXPECT_EQ(box.find_packet(described(whole_job, 2, 1)), nullptr);
  EXPECT_EQ(box.find_packet(described(whole_job, 1, 3)), nullptr);
  EXPECT_EQ(box.find_packet(described({1, 6}, 1, 1)), nullptr);
  for (const auto& [team, value] : {std::pair(whole_job, 10), std::pair(some_team, 30)}) {
    const std::unique_ptr<collective_box::packet> found(box.find_packet(described(team, 1, 1)));
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(static_cast<const collective_box::value_packet<int>&>(*found).value, value);
    EXPECT_EQ(box.find_packet(described(team, 1, 1)), nullptr) << "it is taken once";
  }
  ASSERT_EQ(box.unasked(9).size(), 1U);
  EXPECT_EQ(box.unasked(9)[0],
            "PE 2 has called all_reduce of int at an unknown file:7, its collective number 1, and this PE 2 in all");
}

TEST(collective_box, each_of_many_packets_is_found_and_the_oldest_is_told_first) {
  collective_box box(0, 4);
  constexpr std::uint32_t calls = 1000;
  for (const pe_id from : {1, 2, 3}) {
    for (std::uint32_t call = 1; call <= calls; ++call)
      box.add_packet(packet_of(call % 2 == 0 ? whole_job : some_team, call, from, static_cast<int>(call) * 10 + from));
  }
  EXPECT_EQ(box.unasked(1).at(1), "and 2999 like these");
  for (std::uint32_t call = 1; call <= calls; ++call) {
    if (call == 501) {
      EXPECT_NE(box.unasked(1).at(0).find("number 501 of team 5"), std::string::npos);
    }
    for (const pe_id from : {1, 2, 3}) {
      const auto asked = described(call % 2 == 0 ? whole_job : some_team, call, from);
      const std::unique_ptr<collective_box::packet> found(box.find_packet(asked));
      ASSERT_NE(found, nullptr);
      EXPECT_EQ(static_cast<const collective_box::value_packet<int>&>(*found).value,
                static_cast<int>(call) * 10 + from);
      EXPECT_EQ(box.find_packet(asked), nullptr);
    }
  }
  EXPECT_TRUE(box.unasked(9).empty());
}

TEST(collective_box, tells_the_team_of_what_nobody_asked_for) {
  collective_box box(0, 4);
  box.add_packet(packet_of(some_team, 9, 1, 30));
  const std::string begin =
      "PE 1 has called all_reduce of int at an unknown file:7, its collective number 9 of team 5 of PE 1, ";
  EXPECT_EQ(box.unasked(9).at(0), begin + "which this PE does not hold");
  const team held(box.teams.add_made(some_team, team_members({1, 0})));
  held.part().calls = 8;
  EXPECT_EQ(box.unasked(9).at(0), begin + "and this PE 8 in all");
}

TEST(collective_box, a_waiter_is_found_once_or_goes_away) {
  collective_box box(0, 4);
  collective_box::waiter one(described(whole_job, 1, 1)), other(described(some_team, 1, 2));
  box.add_waiter(one);
  box.add_waiter(other);
  EXPECT_EQ(box.describe(&one), "") << "it is the whole job's";
  EXPECT_EQ(box.describe(&other), "team 5 of PE 1");
  EXPECT_EQ(box.find_waiter(described(whole_job, 1, 1)), &one);
  EXPECT_EQ(box.find_waiter(described(whole_job, 1, 1)), nullptr);
  box.remove_waiter(other);
  EXPECT_EQ(box.describe(&other), "");
  EXPECT_EQ(box.find_waiter(described(some_team, 1, 2)), nullptr);
}

TEST(team_table, keeps_one_record_of_a_team_for_as_long_as_it_is_used) {
  team_table table(1, 4);
  EXPECT_EQ(table.next_number(), 1U);
  EXPECT_EQ(table.next_number(), 2U);
  {
    const team heard(table.add_heard_of({0, 3}, team_members({2, 1})));
    EXPECT_FALSE(heard.part().counts_calls) << "a message does not tell how many calls there have been";
    const team made(table.add_made({0, 3}, team_members({2, 1})));
    EXPECT_EQ(heard, made);
    EXPECT_TRUE(heard.part().counts_calls);
    EXPECT_EQ(made.rank(), 1);
    EXPECT_EQ(team(table.add_made({0, 4}, team_members({2, 0}))).rank(), no_pe);
    EXPECT_EQ(table.size(), 1U);
    EXPECT_EQ(table.find({0, 3}), &made.part());
  }
  EXPECT_EQ(table.size(), 0U);
  EXPECT_EQ(table.find({0, 3}), nullptr);
  EXPECT_EQ(team(table.add_heard_of(whole_job, team_members::all(4))), team(table.whole()));
}

}  // namespace
}  // namespace tsubu::remote
