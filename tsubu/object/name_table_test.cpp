// Promise: a name finds its object and no other, whatever comes back and is given again; a name that was never heard of
// is of an object that is yet to be created; numbers come back to who gave them, several at a time.
// Method: the tables alone, without a PE. A generation, a number or a slot is looked at after each step.
#include <gtest/gtest.h>

#include "tsubu/object/names.hpp"
#include "tsubu/object/object_base.hpp"

namespace tsubu::objects {
namespace {

constexpr pe_id me = 1, other = 2, pes = 4;
constexpr std::uint32_t a_class = 7, another_class = 8;

struct thing : object_base {
  thing() : object_base(unregistered{}) {}
};

// As create() does it.
identity begin(name_table& names, object_base& o) {
  const identity id = names.name_for(me);
  names.claim(id, a_class).object = &o;
  return id;
}

TEST(name_table, finds_by_name_and_class) {
  name_table names(me, pes);
  thing a, b;
  const identity first = begin(names, a), second = begin(names, b);
  EXPECT_EQ(names.find(first, a_class), &a);
  EXPECT_EQ(names.find(second, a_class), &b);
  EXPECT_EQ(names.find(first, another_class), nullptr);
  EXPECT_EQ(names.at_home(second), &b);
  EXPECT_EQ(names.identity_of(me, second.number()), second);
}

TEST(name_table, an_old_name_finds_nobody_and_its_number_is_given_again) {
  name_table names(me, pes);
  thing a;
  const identity old = begin(names, a);
  names.release(me, old.number());
  EXPECT_EQ(names.find(old, a_class), nullptr);
  EXPECT_EQ(names.why_not(old, a_class), absence::gone);
  ASSERT_TRUE(names.has_own_free());
  const name_table::claimed again = names.claim_own(a_class);
  again.at.object = &a;
  EXPECT_EQ(again.id.number(), old.number());
  EXPECT_EQ(again.id.generation(), 1U);
  EXPECT_EQ(names.find(again.id, a_class), &a);
  EXPECT_EQ(names.find(old, a_class), nullptr);
}

TEST(name_table, a_number_is_used_up_after_its_generations) {
  name_table names(me, pes);
  thing a;
  for (std::uint32_t g = 0; g < identity::generations_of_job; ++g) {
    const identity id = begin(names, a);
    ASSERT_EQ(id.number(), 0U);
    ASSERT_EQ(id.generation(), g);
    names.release(me, id.number());
  }
  EXPECT_FALSE(names.has_own_free());
  EXPECT_EQ(begin(names, a).number(), 1U);
}

// A job tries the names that the three before it have left.
TEST(name_table, a_name_of_an_earlier_job_finds_nobody) {
  std::vector<identity> old;
  for (std::uint32_t job = 0; job < 9; ++job) {
    name_table names(me, pes, job);
    thing a;
    for (int reused = 0; reused < 3; ++reused) names.release(me, begin(names, a).number());
    const identity here = begin(names, a);
    EXPECT_EQ(names.find(here, a_class), &a);
    // Numbers that are here, and some that are not, of this creator and of one that this job does not have.
    for (std::size_t i = old.size(); i-- > 0 && i + 6 >= old.size();) {
      EXPECT_EQ(names.find(old[i], a_class), nullptr);
      EXPECT_EQ(names.why_not(old[i], a_class), absence::gone) << "job " << job << ", name " << i;
    }
    old.push_back(here);
    old.push_back({me, pes + 3, 100'000, here.generation()});
    EXPECT_EQ(names.why_not({me, other, 5, names.first_generation()}, a_class), absence::unborn);
  }
}

TEST(name_table, what_it_has_not_heard_of_is_unborn) {
  name_table names(me, pes);
  thing a;
  EXPECT_EQ(names.why_not({me, other, 5, 0}, a_class), absence::unborn);
  const identity id(me, other, 0, 0);
  names.claim(id, a_class).object = &a;
  EXPECT_EQ(names.why_not({me, other, 0, 1}, a_class), absence::unborn);
}

TEST(name_table, one_that_could_not_be_made_is_gone_for_ever) {
  name_table names(me, pes);
  const identity id = names.name_for(me);
  names.claim(id, a_class);
  names.leave_tombstone(id);
  EXPECT_EQ(names.why_not(id, a_class), absence::gone);
  EXPECT_FALSE(names.has_own_free());
}

TEST(name_table, keeps_the_name_of_one_that_is_away) {
  name_table names(me, pes);
  thing a;
  const identity id = begin(names, a);
  names.set_away(id);
  EXPECT_TRUE(names.is_away(id));
  EXPECT_EQ(names.find(id, a_class), nullptr);
  EXPECT_EQ(names.at_home(id), nullptr);
  EXPECT_EQ(names.why_not(id, a_class), absence::away);
  names.set_here(id, a_class, a);
  EXPECT_FALSE(names.is_away(id));
  EXPECT_EQ(names.find(id, a_class), &a);
  EXPECT_EQ(a.tsubu_header.number(), id.number());
  names.set_away(id);
  names.ended_away(id);
  EXPECT_EQ(names.why_not(id, a_class), absence::gone);
  EXPECT_EQ(names.name_for(me).generation(), 1U);
}

TEST(name_table_death, creators_give_numbers_in_order_and_once) {
  name_table names(me, pes);
  EXPECT_EXIT(names.claim({me, other, 3, 0}, a_class), testing::ExitedWithCode(1),
              "PE 2 creates object 3 here, but has created 0");
  names.claim({me, other, 0, 0}, a_class);
  EXPECT_EXIT(names.claim({me, other, 0, 0}, a_class), testing::ExitedWithCode(1), "PE 2 creates object 0 here again");
}

TEST(number_stocks, count_on_each_pe_apart) {
  number_stocks numbers(pes);
  EXPECT_EQ(numbers.next_on(0).number, 0U);
  EXPECT_EQ(numbers.next_on(0).number, 1U);
  EXPECT_EQ(numbers.next_on(3).number, 0U);
}

TEST(number_stocks, a_sequence_is_free_everywhere) {
  number_stocks numbers(pes);
  numbers.next_on(0);
  numbers.next_on(2);
  numbers.next_on(2);
  EXPECT_EQ(numbers.next_everywhere(10), 2U);
  for (pe_id home = 0; home < pes; ++home) EXPECT_EQ(numbers.next_on(home).number, 12U);
}

TEST(number_stocks, what_came_back_is_given_first) {
  number_stocks numbers(pes);
  returned_numbers back{};
  for (std::uint32_t i = 0; i < back.size(); ++i) back[i] = {i, 1};
  for (std::size_t i = 0; i < back.size(); ++i) numbers.next_on(other);
  numbers.take_back(other, back);
  for (std::size_t i = 0; i < back.size(); ++i) EXPECT_EQ(numbers.next_on(other).generation, 1U);
  EXPECT_EQ(numbers.next_on(other).number, back.size());
}

TEST(number_stocks, are_given_back_several_at_a_time) {
  number_stocks numbers(pes);
  returned_numbers bunch{};
  for (std::uint32_t i = 0; i + 1 < bunch.size(); ++i) EXPECT_FALSE(numbers.owe(other, {i, 1}, bunch));
  EXPECT_FALSE(numbers.owe(3, {99, 1}, bunch)) << "each creator's are gathered apart";
  ASSERT_TRUE(numbers.owe(other, {15, 1}, bunch));
  for (std::uint32_t i = 0; i < bunch.size(); ++i) EXPECT_EQ(bunch[i].number, i);
  EXPECT_FALSE(numbers.owe(other, {0, 2}, bunch));
}

TEST(name_choice, full_names_are_followed_by_full_names) {
  name_choice names;
  EXPECT_TRUE(names.use_short(true));
  EXPECT_FALSE(names.use_short(false));
  for (int i = 0; i < 63; ++i) EXPECT_FALSE(names.use_short(true)) << i;
  EXPECT_TRUE(names.use_short(true));
}

}  // namespace
}  // namespace tsubu::objects
