// Promises: what a network interface executes does not wait for its PE, and its answer leaves at once; without an
// interface it waits. Work is that of the PE that did it. Messages of one PE to another keep their order all the same,
// under every seed.
#include "tsubu/base/clock.hpp"
#include "tsubu/sim/protocol.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/memory/global_ptr.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/sim/driven.hpp"
#include "tsubu/sim/engine.hpp"
#include "tsubu/sim/explore.hpp"
#include "tsubu/task/scope.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu {
namespace {

sim::machine emx() { return sim::read_machine("emx"); }

// The same, but the PE executes reads and writes.
sim::machine without_interface() {
  sim::machine m = emx();
  for (const char* name : {"read", "write"})
    std::erase_if(m.protocols.at(name), [](const sim::step& s) { return s.does == sim::step::what::interface; });
  return m;
}

std::int64_t noted = 0;
pe_local<double> cell_here;

void simulate(const sim::machine& on, int pes, task<int> (*program)()) {
  noted = 0;
  transport::launch_settings how;
  how.pes = pes;
  sim::engine_settings settings;
  settings.limit_ps = 1'000'000'000;
  EXPECT_EQ(sim::simulate_once(on, how, settings, program).code, 0);
}

// PE 0 sends messages to itself, each with some work, until it hears of PE 1.
pe_local<bool> has_heard;
constexpr double of_a_round = 100;
std::int64_t sent_to_oneself = 0;

void heard() {
  *has_heard = true;
  noted = static_cast<std::int64_t>(ticks());
}
void again() {
  work(of_a_round);
  if (++sent_to_oneself > 100'000) fail("PE 1 is not heard");
  if (!*has_heard) at(0).past<again>();
}

task<int> send_to_oneself() {
  sent_to_oneself = 0;
  if (this_pe() == 0) at(0).past<again>();
  if (this_pe() == 1) at(0).past<heard>();
  co_return 0;
}

TEST(played_costing, hears_others_while_a_pe_sends_to_itself) {
  simulate(sim::read_machine("em4_packets"), 2, send_to_oneself);
  EXPECT_GT(noted, 0);
  EXPECT_LE(static_cast<double>(noted), 3 * 64 * of_a_round);
}

constexpr double at_work = 10'000;

// Two PEs write to each other for many turns, one of them later, meet, and work: what the late one makes of the
// other's message is behind all that it has still to write.
constexpr int many_words = 700;
constexpr double of_a_word = 5, later = 1000;
task<int> write_meet_and_work() {
  const std::vector<global_ptr<double>> cells = co_await all_gather(share(std::span<double>(&*cell_here, 1)));
  co_await barrier();
  const auto from = static_cast<std::int64_t>(ticks());
  if (this_pe() == 0) work(later);
  for (int i = 0; i < many_words; ++i) {
    work(of_a_word);
    co_await cells[static_cast<std::size_t>(1 - this_pe())].put(i);
  }
  co_await barrier();
  work(at_work);
  co_await barrier();
  noted = std::max(noted, static_cast<std::int64_t>(ticks()) - from);
  co_return 0;
}

TEST(played_costing, what_many_turns_send_is_in_order_with_what_comes_of_a_message) {
  simulate(emx(), 2, write_meet_and_work);
  constexpr double sends_a_word = 1, two_barriers = 100;
  constexpr double least = later + many_words * (of_a_word + sends_a_word) + at_work;
  EXPECT_GE(static_cast<double>(noted), least);
  EXPECT_LE(static_cast<double>(noted), least + two_barriers);
}

// PE 1 reads three times from PE 0, which is at work for all that time.
task<int> read_from_one_at_work() {
  const std::vector<global_ptr<double>> cells = co_await all_gather(share(std::span<double>(&*cell_here, 1)));
  co_await barrier();
  if (this_pe() == 0) work(at_work);
  if (this_pe() != 1) co_return 0;
  work(200);  // PE 0 has left the barrier
  const auto from = static_cast<std::int64_t>(ticks());
  for (int i = 0; i < 3; ++i) co_await cells[0].read();
  noted = static_cast<std::int64_t>(ticks()) - from;
  co_return 0;
}

TEST(interface, an_interface_reads_while_its_pe_is_at_work) {
  const sim::machine m = emx();
  const sim::topology t(m, 2);
  const std::int64_t clocks =
      (2 * m.network.latency + (t.distance(0, 1) + t.distance(1, 0)) * m.network.link) / m.clock_ps;
  simulate(m, 2, read_from_one_at_work);
  EXPECT_EQ(noted, 3 * (4 + clocks + 2 + 1) + 2 * 5) << "sent, on the way, read by the interface, taken; resumed twice";
  simulate(without_interface(), 2, read_from_one_at_work);
  EXPECT_GT(noted, static_cast<std::int64_t>(at_work) - 1000) << "its PE reads for it";
}

// The same, but PE 0 has something to send when it has worked.
pe_local<int> told;
void tell() { ++*told; }
task<int> read_from_one_that_will_send() {
  const std::vector<global_ptr<double>> cells = co_await all_gather(share(std::span<double>(&*cell_here, 1)));
  co_await barrier();
  if (this_pe() == 0) {
    work(at_work);
    co_await at(2).past<tell>();
  }
  if (this_pe() != 1) co_return 0;
  work(200);
  const auto from = static_cast<std::int64_t>(ticks());
  for (int i = 0; i < 3; ++i) co_await cells[0].read();
  noted = static_cast<std::int64_t>(ticks()) - from;
  co_return 0;
}

TEST(interface, its_answers_leave_before_what_its_pe_sends_later) {
  simulate(emx(), 3, read_from_one_that_will_send);
  EXPECT_LT(noted, 200);
}

// PE 0 writes many words to PE 1, which hears of it behind them.
template <int words>
task<int> write_words() {
  std::vector<double> there(static_cast<std::size_t>(words)), values(there);
  const std::vector<global_ptr<double>> all = co_await all_gather(share(std::span<double>(there)));
  co_await barrier();
  const auto from = static_cast<std::int64_t>(ticks());
  if (this_pe() == 0) co_await all[1].write(values);
  if (this_pe() == 0) noted = static_cast<std::int64_t>(ticks()) - from;
  co_await barrier();
  co_return 0;
}

// A list, and what is too much for one message and goes in a bulk.
TEST(interface, each_word_that_is_written_takes_time) {
  for (const char* name : {"em4", "emx"}) {
    const sim::machine m = sim::read_machine(name);
    simulate(m, 2, write_words<10>);
    const std::int64_t few = noted;
    simulate(m, 2, write_words<110>);
    const std::int64_t more = noted;
    EXPECT_GE(more, few + 100) << name;
    simulate(m, 2, write_words<5010>);
    EXPECT_GE(noted, more + 4900) << name;
  }
}

// Three that read from PE 0 at once: its interface reads one after the other.
task<int> read_at_once() {
  const std::vector<global_ptr<double>> cells = co_await all_gather(share(std::span<double>(&*cell_here, 1)));
  co_await barrier();
  const auto from = static_cast<std::int64_t>(ticks());
  if (this_pe() != 0) co_await cells[0].read();
  noted = std::max(noted, static_cast<std::int64_t>(ticks()) - from);
  co_return 0;
}

TEST(interface, an_interface_does_one_thing_at_a_time) {
  sim::machine m = emx();
  simulate(m, 4, read_at_once);
  const std::int64_t fast = noted;
  for (sim::step& s : m.protocols.at("read")) {
    if (s.does == sim::step::what::interface) s.ps = 500 * m.clock_ps;
  }
  simulate(m, 4, read_at_once);
  EXPECT_GE(noted, 3 * 500);
  EXPECT_LT(noted, 3 * 500 + fast);
}

// Two PEs, four tasks each, all reading from the other: a PE is at work all the time, however long the answers wait for
// it.
constexpr int reads_of_task = 50, tasks_of_pe = 4, at_work_between = 10;
task<void> read_on(global_ptr<double> from) {
  for (int i = 0; i < reads_of_task; ++i) {
    work(at_work_between);
    co_await from.read();
  }
}
task<int> read_from_each_other() {
  const std::vector<global_ptr<double>> cells = co_await all_gather(share(std::span<double>(&*cell_here, 1)));
  co_await barrier();
  const auto from = static_cast<std::int64_t>(ticks());
  scope all;
  for (int t = 0; t < tasks_of_pe; ++t) all.spawn(read_on(cells[static_cast<std::size_t>(1 - this_pe())]));
  co_await all.join();
  noted = std::max(noted, static_cast<std::int64_t>(ticks()) - from);
  co_return 0;
}

TEST(interface, answers_that_wait_hold_up_no_reads) {
  constexpr std::int64_t busy = tasks_of_pe * reads_of_task * (at_work_between + 4 + 6);
  simulate(emx(), 2, read_from_each_other);
  EXPECT_GE(noted, busy);
  EXPECT_LT(noted, busy + busy / 50);
}

// ---- work

double work_of(pe_id pe) { return 300 + 10 * pe; }
constexpr int rounds = 20;

// Turns of many PEs at the same times, that end in several ways.
task<int> work_between_barriers() {
  for (int i = 0; i < rounds; ++i) {
    co_await barrier();
    work(work_of(this_pe()));
    if (i % 2 == 0) co_await yield();
  }
  co_return 0;
}

TEST(player, work_is_its_own_pes) {
  constexpr int pes = 32;
  const sim::machine m = emx();
  transport::launch_settings how;
  how.pes = pes;
  how.hops = 1;
  task_context of_nobody;
  const task_context_scope on_this_stack(of_nobody);
  sim::engine engine(m, how, {}, [&](transport::transport& end) {
    auto pe = std::make_unique<remote::pe>(end);
    pe->enter();
    const task_context_scope of_the_pe(pe->tasks);
    pe->expect_programs(0);
    spawn([]() -> task<void> { co_await work_between_barriers(); }());
    return sim::driven(std::move(pe));
  });
  EXPECT_EQ(engine.run(), 0);
  for (pe_id pe = 0; pe < pes; ++pe) {
    EXPECT_EQ(engine.of(pe).time.working, std::llround(rounds * work_of(pe)) * m.clock_ps) << "PE " << pe;
  }
}

// ---- order

pe_local<int> seen;
void expect_value(int value) {
  work(50);
  if (static_cast<int>(*cell_here) != value) fail("the write has not been executed before");
  *seen = value;
}
void set_value(int value) {
  work(300);
  *cell_here = value;
}

// Everybody writes to its neighbour, whose PE has much to do, and tells it; then tells it to write, and reads.
task<int> keeps_order() {
  const std::vector<global_ptr<double>> cells = co_await all_gather(share(std::span<double>(&*cell_here, 1)));
  co_await barrier();
  const pe_id to = (this_pe() + 1) % pe_count();
  const auto there = cells[static_cast<std::size_t>(to)];
  for (int i = 1; i <= 20; i += 2) {
    work(100);
    co_await there.put(i);
    co_await at(to).past<expect_value>(i);
    co_await at(to).past<set_value>(i + 1);
    const double value = co_await there.read();
    if (static_cast<int>(value) != i + 1) fail("the read has overtaken the message before it");
  }
  co_await quiescence();
  co_return *seen == 19 ? 0 : 1;
}

TEST(interface, messages_of_a_pair_keep_their_order) {
  for (const sim::machine& m : {emx(), without_interface()}) {
    const sim::findings found = sim::explore(m, {.first = 1, .count = 100, .pes = {2, 5}}, keeps_order);
    EXPECT_EQ(found.runs, 100U);
    for (const sim::failure& f : found.failures) ADD_FAILURE() << "seed " << f.seed << ": " << f.said;
  }
}

}  // namespace
}  // namespace tsubu
