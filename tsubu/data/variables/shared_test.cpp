// Promise: a shared variable is one value for all PEs, whatever its protocol, and while that changes; copies are read
// without a message; past accesses are in place at quiescence and at the end of their epoch, and for their own PE at
// once; errors reach who asked. Method: small programs over random interleavings of the PEs (interleaved_job), and
// messages counted. That histories are linearizable is checked in tests/data.
#include "tsubu/data/variables/shared.hpp"

#include <gtest/gtest.h>

#include "tests/shared_job.hpp"
#include "tsubu/remote/accounting.hpp"
#include "tsubu/remote/memory/parts.hpp"
#include "tsubu/remote/messages/remote_error.hpp"
#include "tsubu/remote/termination/epoch.hpp"
#include "tsubu/task/when_all.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::data_test {
namespace {

shared<long> number;  // one thread holds all PEs: plain variables are seen by all

std::uint64_t sent_here() { return remote::current_pe->messages.sent(); }

task<void> make_number(pe_id me, long initial) {
  if (me == 0) number = create_shared(how, initial);
  co_await barrier();
}

// ---- results

task<void> count_up(long times) {
  for (long i = 0; i < times; ++i) co_await number.change<add_and_get>(1L);
}
task<void> each_change_happens_once(pe_id me) {
  co_await make_number(me, 0);
  co_await when_all(count_up(5), count_up(5), count_up(5));
  co_await barrier();
  EXPECT_EQ(co_await number.read(), 15 * pe_count());
}
TEST(Shared, EachChangeHappensOnce) { run_many(each_change_happens_once); }

task<void> what_is_written_is_read(pe_id me) {
  co_await make_number(me, -1);
  for (pe_id writer = 0; writer < pe_count() && writer < 6; ++writer) {
    EXPECT_EQ(co_await number.read(), writer - 1);
    co_await barrier();
    if (me == writer) co_await number.write(writer);
    co_await barrier();
    EXPECT_EQ(co_await number.read(), writer);
    co_await barrier();
  }
}
TEST(Shared, WhatIsWrittenIsRead) { run_many(what_is_written_is_read); }

task<void> protocols_change_meanwhile(pe_id me) {
  co_await make_number(me, 0);
  for (long i = 0; i < 10; ++i) {
    co_await number.change<add_and_get>(1L);
    if (dice() % 3 == 0) co_await number.set_protocol(protocol{static_cast<std::uint8_t>(dice() % protocols)});
    const long seen = co_await number.read();
    EXPECT_GE(seen, i + 1);
    number.add(1000);
  }
  co_await quiescence();
  EXPECT_EQ(co_await number.read(), 10010 * pe_count());
}
TEST(Shared, ProtocolsChangeMeanwhile) { run_many(protocols_change_meanwhile); }

// ---- past accesses

task<void> own_puts_are_read(pe_id me) {
  co_await make_number(me, 0);
  co_await number.read();  // a copy, where there may be one
  co_await barrier();
  if (me == number.home()) {
    for (long i = 1; i <= 10; ++i) {
      number.put(i);
      EXPECT_EQ(co_await number.read(), i);
      if (dice() % 2 == 0) co_await yield();
    }
  }
  co_await quiescence();
  if (me == pe_count() - 1) {
    for (long i = 1; i <= 10; ++i) {
      number.put(i);
      EXPECT_EQ(co_await number.read(), i);
      if (dice() % 2 == 0) co_await yield();
      number.add(100);
      EXPECT_EQ(co_await number.read(), i + 100);
    }
  } else if (me % 2 == 0) {
    for (int i = 0; i < 10; ++i) EXPECT_LE(co_await number.read(), 110);
  }
}
TEST(Shared, OwnPutsAreRead) { run_many(own_puts_are_read); }

task<void> adds_are_in_place_at_the_end_of_their_epoch(pe_id me) {
  co_await make_number(me, 0);
  co_await number.read();  // a copy, where there may be one
  if (me == pe_count() - 1) {
    co_await epoch([] {
      for (pe_id pe = 0; pe < pe_count(); ++pe)
        at(pe).past([] {
          for (int i = 0; i < 10; ++i) number.add<reduce::plus>(1);
        });
    });
    EXPECT_EQ(co_await number.read(), 10 * pe_count());
    EXPECT_EQ(co_await at(0).now([]() -> task<long> { co_return co_await number.read(); }), 10 * pe_count());
  }
  co_await barrier();
}
TEST(Shared, AddsAreInPlaceAtTheEndOfTheirEpoch) { run_many(adds_are_in_place_at_the_end_of_their_epoch); }

task<void> adds_are_merged(pe_id me) {
  co_await make_number(me, 0);
  const std::uint64_t before = sent_here();
  for (int i = 0; i < 1000; ++i) {
    number.add(1);
    if (i == 500) number.add<reduce::max>(0);
  }
  co_await barrier();
  EXPECT_LE(sent_here() - before, 20);
  co_await quiescence();
  EXPECT_EQ(co_await number.read(), 1000 * pe_count());
}
TEST(Shared, AddsAreMerged) { run_many(adds_are_merged, 5); }

// ---- values that own memory

shared<std::vector<std::string>> lines;
std::size_t append(std::vector<std::string>& to, const std::string& line) {
  to.push_back(line);
  return to.size();
}
task<void> values_may_own_memory(pe_id me) {
  if (me == 0) lines = create_shared(how, std::vector<std::string>{"begin"});
  co_await barrier();
  co_await lines.change<append>("of PE " + std::to_string(me));
  co_await barrier();
  const std::vector<std::string> all = co_await lines.read();
  EXPECT_EQ(all.size(), static_cast<std::size_t>(pe_count()) + 1);
  EXPECT_EQ(std::ranges::count(all, "of PE " + std::to_string(me)), 1);
  co_await barrier();
  if (me == 1) co_await lines.write({});
}
TEST(Shared, ValuesMayOwnMemory) { run_many(values_may_own_memory, 5); }

// ---- lambdas

task<void> lambdas_travel_with_their_captures(pe_id me) {
  co_await make_number(me, 0);
  const long more = me + 1;
  const long before =
      co_await number.change([more](long& value, long times) { return std::exchange(value, value + more * times); }, 2);
  EXPECT_GE(before, 0);
  co_await number.change([](long& value) { value += 1000; });
  co_await barrier();
  EXPECT_EQ(co_await number.read(), pe_count() * (pe_count() + 1) + 1000 * pe_count());
}
TEST(Shared, LambdasTravelWithTheirCaptures) { run_many(lambdas_travel_with_their_captures, 5); }

task<void> lambdas_take_what_owns_memory(pe_id me) {
  if (me == 0) lines = create_shared(how, std::vector<std::string>{});
  co_await barrier();
  const std::string mine = "of PE " + std::to_string(me);
  const std::string last = co_await lines.change(
      [](std::vector<std::string>& to, const std::string& line) {
        to.push_back(line);
        return to.back();
      },
      mine);
  EXPECT_EQ(last, mine);
  co_await barrier();
  const std::vector<std::string> all = co_await lines.read();
  EXPECT_EQ(all.size(), static_cast<std::size_t>(pe_count()));
}
TEST(Shared, LambdasTakeWhatOwnsMemory) { run_many(lambdas_take_what_owns_memory, 5); }

// ---- errors, ends

long divide(long& value, long by) {
  if (by == 0) throw std::domain_error("divided by nothing");
  return value /= by;
}
task<void> what_a_change_throws_is_thrown(pe_id me) {
  co_await make_number(me, 10);
  for (const bool by_lambda : {false, true}) {
    try {
      if (by_lambda) {
        co_await number.change([](long& value, long by) { divide(value, by); }, 0L);
      } else {
        co_await number.change<divide>(0L);
      }
      ADD_FAILURE();
    } catch (const std::domain_error& e) {  // it ran here
      EXPECT_STREQ(e.what(), "divided by nothing");
    } catch (const remote_error& e) {
      EXPECT_NE(me, number.home());
      EXPECT_EQ(e.type(), "std::domain_error");
    }
    EXPECT_EQ(co_await number.read(), 10);
  }
}
TEST(Shared, WhatAChangeThrowsIsThrown) { run_many(what_a_change_throws_is_thrown, 5); }

task<void> nobody_finds_one_that_has_ended(pe_id me) {
  co_await make_number(me, 1);
  co_await number.read();
  co_await barrier();
  if (me == pe_count() - 1) co_await number.end();
  co_await barrier();
  if (me == 0) {
    EXPECT_FALSE(create_shared(how, 7L) == number);  // in the same slot
  }
  co_await barrier();
  try {
    co_await number.read();
    ADD_FAILURE();
  } catch (const variable_ended& e) {
    EXPECT_STREQ(e.what(), "shared variable 0 of PE 0 (long) has ended");
    const auto* const came = dynamic_cast<const remote_error*>(&e);
    EXPECT_NE(came, nullptr) << "at home as elsewhere";
    if (came != nullptr) {
      EXPECT_EQ(came->pe(), number.home());
    }
  }
}
TEST(Shared, NobodyFindsOneThatHasEnded) { run_many(nobody_finds_one_that_has_ended, 5); }

task<void> ended_or_done(pe_id me) {
  co_await make_number(me, 0);
  if (me == 0) {
    co_await yield();
    co_await number.end();
    co_return;
  }
  try {
    for (;;) {
      co_await number.change<add_and_get>(1L);
      co_await yield();
    }
  } catch (const remote_error& e) {
    EXPECT_EQ(e.type(), "tsubu::variable_ended");
  }
}
TEST(Shared, WhoComesTooLateIsRefused) { run_many(ended_or_done); }

// ---- messages

// Reads cost nothing where there is a copy, also after a write under update; the only user of an invalidate or mobile
// variable writes it without a message.
task<void> messages_of_each_protocol(pe_id me) {
  co_await make_number(me, 0);
  if (me == 1) {
    co_await number.read();
    const std::uint64_t before = sent_here();
    for (int i = 0; i < 100; ++i) co_await number.read();
    const bool copies = how != protocol::global && how < protocol::accumulate;
    if (how == protocol::adaptive) {
      EXPECT_LE(sent_here() - before, 55);  // two windows of its history
      EXPECT_NE(number.copy(), nullptr);
    } else {
      EXPECT_EQ(sent_here() - before, copies ? 0 : 100);
      EXPECT_EQ(number.copy() != nullptr, copies);
    }
  }
  co_await barrier();
  if (me == 0 && how == protocol::update) {
    co_await number.write(5);
    number.put(6);
  }
  co_await quiescence();
  if (me == 1 && how == protocol::update) {
    const std::uint64_t before = sent_here();
    EXPECT_EQ(co_await number.read(), 6);
    EXPECT_EQ(sent_here(), before);
  }
  co_await barrier();
  if (me == pe_count() - 1) {
    co_await number.write(1);
    const std::uint64_t before = sent_here();
    for (int i = 0; i < 100; ++i) co_await number.change<add_and_get>(1L);
    number.put(7);
    EXPECT_EQ(co_await number.read(), 7);
    if (how == protocol::mobile || how == protocol::invalidate) {
      EXPECT_EQ(sent_here(), before);
    }
  }
  co_await barrier();
}
TEST(Shared, MessagesOfEachProtocol) {
  for (std::uint8_t p = 0; p < protocols; ++p) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      how = protocol{p};
      run_all(2, seed, messages_of_each_protocol);
      run_all(3, seed, messages_of_each_protocol);
    }
  }
}

// ---- operations and types

struct capped {
  long most;
  long operator()(long a, long b) const { return std::min(a + b, most); }
};
long larger(long a, long b) { return std::max(a, b); }
task<void> adds_with_any_operation(pe_id me) {
  co_await make_number(me, 1);
  number.add<capped{5}>(1);
  number.add<capped{5}>(1);
  co_await quiescence();
  EXPECT_EQ(co_await number.read(), std::min(5L, 1 + 2L * pe_count()));
  co_await barrier();
  number.add<larger>(10 + me);
  number.add<larger>(7);
  co_await quiescence();
  EXPECT_EQ(co_await number.read(), 9 + pe_count());
  co_await barrier();
}
TEST(Shared, AddsWithAnyOperation) { run_many(adds_with_any_operation); }

TEST(Shared, RefusesAnotherTypeOnItsOwnPe) {
  const auto mistaken = [](pe_id) -> task<void> {
    const auto x = create_shared(protocol::global, 42L);
    EXPECT_EQ(co_await x.read(), 42);
    co_await shared<double>(x.name()).read();
  };
  EXPECT_EXIT(run_all(1, 1, mistaken), testing::ExitedWithCode(1), "as a value of another type");
}

// A home that answers an access once more.
TEST(Shared, RefusesAnAnswerToNoAccess) {
  const auto answers_twice = [](pe_id me) -> task<void> {
    co_await make_number(me, 42);
    if (me == 1) co_await number.read();
    co_await barrier();
    if (me == 0) remote::send<data::completed>(1, number.name());
    co_await barrier();
  };
  how = protocol::invalidate;
  EXPECT_EXIT(run_all(2, 1, answers_twice), testing::ExitedWithCode(1),
              "PE 0 answers an access to shared variable 0 of PE 0 while none is under way");
}

// PE 1 reads number, and writes it where `writes`; then PE `from` sends it what `send` does.
struct {
  bool writes;
  pe_id from;
  void (*send)();
} unexpected;
task<void> gets_what_is_unexpected(pe_id me) {
  co_await make_number(me, 42);
  if (me == 1) co_await number.read();
  if (me == 1 && unexpected.writes) co_await number.write(43);
  co_await barrier();
  if (me == unexpected.from) unexpected.send();
  co_await barrier();
}
void sends_to_pe_1(protocol p, bool writes, pe_id from, void (*send)()) {
  how = p;
  unexpected = {writes, from, send};
  run_all(3, 1, gets_what_is_unexpected);
}
void invalidate_number(bool value_follows) { remote::send<data::invalidate>(1, number.name(), value_follows); }

TEST(Shared, RefusesMessagesThatNoStatePermits) {
  const auto ends = testing::ExitedWithCode(1);
  const auto invalidates = [] { invalidate_number(false); };
  EXPECT_EXIT(sends_to_pe_1(protocol::global, false, 2, invalidates), ends,
              "PE 2 says something about the copy of shared variable 0 of PE 0 on PE 1, which has none");
  EXPECT_EXIT(
      sends_to_pe_1(protocol::invalidate, false, 2, invalidates), ends,
      "PE 2 says something about the copy of shared variable 0 of PE 0 on PE 1, which hears of it from its home, "
      "PE 0");
  EXPECT_EXIT(
      sends_to_pe_1(protocol::invalidate, true, 0, invalidates), ends,
      "PE 0 invalidates the copy of shared variable 0 of PE 0 on PE 1, which is the only value: expected one to "
      "read");
  const auto invalidates_twice = [] {
    invalidate_number(true);
    invalidate_number(true);
  };
  EXPECT_EXIT(sends_to_pe_1(protocol::update, false, 0, invalidates_twice), ends,
              "PE 0 invalidates the copy of shared variable 0 of PE 0 on PE 1, which is invalid: expected one to read");
}

TEST(Shared, RefusesANewValueThatNothingHasAnnounced) {
  const auto ends = testing::ExitedWithCode(1);
  const auto sends_value = [] { remote::send<data::new_value<long>>(1, number.name(), 44L); };
  EXPECT_EXIT(
      sends_to_pe_1(protocol::update, false, 0, sends_value), ends,
      "PE 0 sends a new value of shared variable 0 of PE 0 .long. to PE 1, where no invalidation has announced");
  EXPECT_EXIT(sends_to_pe_1(protocol::update, false, 2, sends_value), ends,
              "PE 2 says something about the copy of shared variable 0 of PE 0 on PE 1, which hears of it from");
  EXPECT_EXIT(sends_to_pe_1(protocol::global, false, 0, sends_value), ends,
              "PE 0 says something about the copy of shared variable 0 of PE 0 on PE 1, which has none");
}

// What an access causes belongs to the epoch of who awaits it, also where another's answer lets it go on.
bool told_late[70];
task<void> tell_late(pe_id whom) {
  for (int i = 0; i < 20; ++i) co_await yield();
  told_late[pe_index(whom)] = true;
}
long change_and_tell(long& value, pe_id whom) {
  at(0).past<tell_late>(whom);
  return ++value;
}
task<void> epochs_of_accesses(pe_id me) {
  co_await make_number(me, 0);
  const int times = pe_count() > 10 ? 2 : 10;
  for (int i = 0; i < times; ++i) {
    told_late[pe_index(me)] = false;
    spawn(count_up(2));  // outside the epoch
    const auto body = [me]() -> task<void> { co_await number.change<change_and_tell>(me); };
    co_await epoch(body);
    EXPECT_TRUE(told_late[pe_index(me)]);
  }
}
TEST(Shared, EpochsOfAccesses) { run_many(epochs_of_accesses); }

// ---- memory

TEST(Shared, MemoryOfAVariableAndOfACopy) {
  EXPECT_LE(sizeof(data::variable_entry<long>) + sizeof(std::uint64_t), 64U);
  EXPECT_LE(sizeof(data::copy), 16U);
  EXPECT_EQ(sizeof(shared<long>), 8U);
}

}  // namespace
}  // namespace tsubu::data_test
