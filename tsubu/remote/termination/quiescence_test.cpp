// Promise: quiescence is told when nothing is left to do anywhere, never before, and always then, by at most
// two waves after the last handler; the job ends when it is quiescent and its program has returned; and a
// deadlock names every task that waits.
// Method: random graphs of messages and tasks over random interleavings; what is sent and what is executed
// is counted beside the runtime. QUIESCENCE_TEST_SEED begins elsewhere; QUIESCENCE_TEST_SCHEDULES says how many
// small jobs are tried (1,000,000 take 40 s).
#include "tsubu/remote/termination/quiescence.hpp"

#include <gtest/gtest.h>

#include "tests/interleaved_job.hpp"
#include "tsubu/base/sanitizer.hpp"
#include "tsubu/message/ledger.hpp"
#include "tsubu/task/sleep.hpp"
#include "tsubu/task/sync.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu {
namespace {

using test::interleaved_job;
using namespace std::chrono_literals;

// One thread holds all PEs, so plain variables see everything.
long sent = 0;
long executed = 0;
int releases = 0;
std::mt19937_64* dice = nullptr;
const remote::quiescence* at_pe_0 = nullptr;
std::uint32_t waves_before = 0;  // begun when the last handler ran

void note_handler() { waves_before = at_pe_0->waves(); }
void expect_two_waves() {
  EXPECT_GE(at_pe_0->waves() - waves_before, 1U) << "a wave that had begun before the last handler told its end";
  EXPECT_LE(at_pe_0->waves() - waves_before, 2U);
}
void begin_job(interleaved_job& job) {
  dice = &job.random();
  at_pe_0 = &job[0].quiescence;
  sent = executed = releases = 0;
  waves_before = 0;
  job[0].expect_programs(1);
}

long roll(long n) { return static_cast<long>((*dice)() % static_cast<std::uint64_t>(n)); }

void spread(int depth);
task<void> spread_slowly(int depth);

void send_on(int depth) {
  if (depth == 0) return;
  for (long n = roll(4); n > 0; --n) {
    ++sent;
    const auto to = static_cast<pe_id>(roll(pe_count()));
    if (roll(3) == 0) {
      at(to).past<spread_slowly>(depth - 1);
    } else {
      at(to).past<spread>(depth - 1);
    }
  }
}
void spread(int depth) {
  send_on(depth);
  ++executed;
  note_handler();
}
task<void> spread_slowly(int depth) {
  if (roll(2) == 0) co_await yield();
  if (roll(3) == 0) co_await sleep_for(std::chrono::nanoseconds(roll(5000)));
  send_on(depth);
  ++executed;
  note_handler();
}

task<void> ask(pe_id whom) { co_await at(whom).now<spread>(2); }

// By the time that it is told, the program may have gone on.
task<void> wait_here(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    co_await quiescence();
    ++releases;
  }
}

task<void> program(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    for (int k = 0; k < 3; ++k) send_on(5);
    ++sent;
    co_await ask(static_cast<pe_id>(roll(pe_count())));
    note_handler();
    co_await quiescence();
    EXPECT_EQ(sent, executed);
    expect_two_waves();
    ++releases;
  }
  send_on(4);
  remote::current_pe->quiescence.program_ended(7);
}

// The runtime's own packets that all PEs have sent.
std::uint64_t control_packets(interleaved_job& job, pe_id pes) {
  std::uint64_t packets = 0;
  for (pe_id pe = 0; pe < pes; ++pe) packets += job[pe].messages.counted().packets_sent - job[pe].messages.sent();
  return packets;
}

std::uint64_t first_seed() {
  const char* chosen = std::getenv("QUIESCENCE_TEST_SEED");
  return chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
}

TEST(quiescence, random_graphs) {
  const std::uint64_t first = first_seed();
  constexpr int rounds = 4;
  for (std::uint64_t seed = first; seed < first + 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto pes = static_cast<pe_id>(1 + seed % 9);
    interleaved_job job(pes, seed, static_cast<int>(1 + seed % 3));
    begin_job(job);
    spawn(program(rounds));
    // Others wait as well, and as often: all are told together.
    if (pes > 2) {
      job[pes - 1];
      spawn(wait_here(rounds));
    }
    ASSERT_TRUE(job.run()) << "the job does not end";
    EXPECT_EQ(sent, executed) << "the job ends with messages in flight";
    EXPECT_EQ(releases, rounds * (pes > 2 ? 2 : 1));
    for (pe_id pe = 0; pe < pes; ++pe) EXPECT_EQ(job[pe].quiescence.exit_code(), 7);
    if (HasFailure()) return;
  }
}

task<void> small_program(long messages) {
  for (; messages > 0; --messages) send_on(2);
  co_await quiescence();
  EXPECT_EQ(sent, executed);
  expect_two_waves();
  ++releases;
  send_on(1);
  remote::current_pe->quiescence.program_ended(7);
}

// Jobs so small that the few messages there are meet every moment of a wave.
TEST(quiescence, small_jobs_on_many_schedules) {
  const char* chosen = std::getenv("QUIESCENCE_TEST_SCHEDULES");
#ifdef NDEBUG
  constexpr std::uint64_t usual = TSUBU_ASAN + TSUBU_TSAN == 0 ? 400'000 : 20'000;
#else
  constexpr std::uint64_t usual = 20'000;
#endif
  const std::uint64_t schedules = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : usual;
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + schedules; ++seed) {
    const auto pes = static_cast<pe_id>(2 + seed % 4);
    interleaved_job job(pes, seed, static_cast<int>(1 + seed % 3));
    begin_job(job);
    spawn(small_program(1 + roll(3)));
    ASSERT_TRUE(job.run()) << "seed " << seed << ": the job does not end";
    EXPECT_EQ(releases, 1);
    EXPECT_EQ(sent, executed) << "the job ends with messages in flight";
    // Each wave down and up again, the release, the end.
    EXPECT_EQ(control_packets(job, pes), static_cast<std::uint64_t>(pes - 1) * (2 * job[0].quiescence.waves() + 2));
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

TEST(quiescence, a_lone_message_holds_it_up) {
  interleaved_job job(2);
  begin_job(job);
  bool told = false;
  spawn([](bool& told_) -> task<void> {
    at(1).past<spread>(0);
    co_await quiescence();
    told_ = true;
    remote::current_pe->quiescence.program_ended(0);
  }(told));
  // The message is kept on the wire, while all PEs are idle.
  for (int i = 0; i < 5000; ++i) {
    for (pe_id pe : {0, 1}) {
      remote::pe& p = job[pe];
      job.wires()[pe].allowed = pe == 1 && executed == 0 && i < 4000 ? 0 : 1;
      if (!p.step()) p.quiescence.on_idle();
    }
    if (i < 4000) {
      ASSERT_FALSE(told);
    }
  }
  EXPECT_EQ(executed, 1);
  EXPECT_TRUE(told);
}

// While no time passes: each of `order` so many steps.
void step_all(interleaved_job& job, std::initializer_list<pe_id> order, int times) {
  for (int i = 0; i < times; ++i) {
    for (const pe_id pe : order) {
      remote::pe& p = job[pe];
      if (!p.step()) p.quiescence.on_idle();
    }
  }
}

TEST(quiescence, work_that_is_done_is_found_at_once) {
  for (const pe_id pes : {1, 2, 3, 9}) {
    interleaved_job job(pes);
    begin_job(job);
    std::uint32_t waves = 0;
    spawn([](std::uint32_t& waves_) -> task<void> {
      co_await wait_here(5);
      waves_ = at_pe_0->waves();
      remote::current_pe->quiescence.program_ended(0);
    }(waves));
    while (job[0].step()) continue;
    EXPECT_TRUE(job[0].quiescence.due()) << pes << " PEs";
    for (int i = 0; i < 1000; ++i) {
      for (pe_id pe = 0; pe < pes; ++pe) step_all(job, {pe}, 1);
    }
    EXPECT_EQ(releases, 5) << pes << " PEs";
    EXPECT_EQ(waves, pes == 1 ? 5U : 10U) << pes << " PEs";
    EXPECT_TRUE(job[0].quiescence.ended()) << pes << " PEs";
  }
}

// ---- where all PEs wait, they look together

std::vector<long> sent_in, executed_in;  // by phase
bool all_in_one_phase = true;            // or in the one behind it

void spread_in(int phase, int depth);
task<void> spread_slowly_in(int phase, int depth);
void send_in(int phase, int depth) {
  for (long n = depth == 0 ? 0 : roll(3); n > 0; --n) {
    ++sent_in[static_cast<std::size_t>(phase)];
    const auto to = static_cast<pe_id>(roll(pe_count()));
    if (roll(4) == 0) {
      at(to).past<spread_slowly_in>(phase, depth - 1);
    } else {
      at(to).past<spread_in>(phase, depth - 1);
    }
  }
}
void expect_ended(int phase) {
  EXPECT_EQ(sent_in[static_cast<std::size_t>(phase)], executed_in[static_cast<std::size_t>(phase)])
      << "phase " << phase << " on PE " << this_pe();
}
// Begun by a message, perhaps of a PE that has gone on where this one has not.
task<void> wait_in(int phase) {
  co_await quiescence();
  expect_ended(phase);
}
void spread_in(int phase, int depth) {
  send_in(phase, depth);
  ++executed_in[static_cast<std::size_t>(phase)];
  if (all_in_one_phase && roll(8) == 0) spawn(wait_in(phase));
}
task<void> spread_slowly_in(int phase, int depth) {
  if (roll(2) == 0) co_await sleep_for(std::chrono::nanoseconds(roll(50'000)));
  spread_in(phase, depth);
}

// Some PEs send nothing, some go on waiting at once, one may leave out some of the waits.
task<void> work_in_phases(int phases, bool leaves_out) {
  for (int phase = 0; phase < phases; ++phase) {
    send_in(phase, static_cast<int>(roll(4)));
    if (leaves_out && phase % 3 == 0) continue;
    co_await quiescence();
    ++releases;
    if (leaves_out) continue;  // it is ahead of the others
    expect_ended(phase);       // what others do in the next phase may be under way
  }
  if (this_pe() == 0) remote::current_pe->quiescence.program_ended(7);
}

void run_phases(std::uint64_t seed, pe_id pes, int phases, bool one_leaves_out) {
  interleaved_job job(pes, seed, static_cast<int>(1 + seed % 3));
  begin_job(job);
  sent_in.assign(static_cast<std::size_t>(phases), 0);
  executed_in = sent_in;
  all_in_one_phase = !one_leaves_out;
  for (pe_id pe = 0; pe < pes; ++pe) {
    job[pe];
    spawn(work_in_phases(phases, one_leaves_out && pe == pes - 1));
  }
  ASSERT_TRUE(job.run()) << "seed " << seed << ": the job does not end";
  EXPECT_EQ(sent_in, executed_in) << "seed " << seed;
  if (!one_leaves_out) {
    EXPECT_EQ(releases, phases * pes) << "seed " << seed;
  }
}

TEST(quiescence, phases_in_which_all_wait_or_nearly) {
  const std::uint64_t first = first_seed();
#ifdef NDEBUG
  constexpr std::uint64_t schedules = TSUBU_ASAN + TSUBU_TSAN == 0 ? 8'000 : 500;
#else
  constexpr std::uint64_t schedules = 500;
#endif
  for (std::uint64_t seed = first; seed < first + schedules; ++seed) {
    run_phases(seed, static_cast<pe_id>(2 + seed % 8), 6, seed / 8 % 4 == 0);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

std::uint32_t waves_of_program = 0;

task<void> wait_often(int waits) {
  co_await wait_here(waits);
  if (this_pe() != 0) co_return;
  waves_of_program = at_pe_0->waves();
  remote::current_pe->quiescence.program_ended(0);
}

TEST(quiescence, where_all_wait_the_first_wait_needs_waves) {
  for (const pe_id pes : {2, 3, 4, 5, 8, 9, 16, 31}) {
    interleaved_job job(pes);
    begin_job(job);
    for (pe_id pe = 0; pe < pes; ++pe) {
      job[pe];
      spawn(wait_often(5));
    }
    for (int i = 0; i < 1000 && releases < 5 * pes; ++i) {
      for (pe_id pe = 0; pe < pes; ++pe) step_all(job, {pe}, 1);
    }
    EXPECT_EQ(releases, 5 * pes) << pes << " PEs";
    for (int i = 0; i < 1000; ++i) {
      job.advance_clock(20'000);
      for (pe_id pe = 0; pe < pes; ++pe) step_all(job, {pe}, 1);
    }
    EXPECT_EQ(waves_of_program, 2U) << pes << " PEs";
    EXPECT_TRUE(job[0].quiescence.ended()) << pes << " PEs";
  }
}

// Looks of all cannot end, so waves do; and the next waits begin with these.
TEST(quiescence, where_one_stops_waiting_waves_take_over) {
  interleaved_job job(3);
  begin_job(job);
  job[0];
  spawn(wait_often(6));
  for (const pe_id pe : {1, 2}) {
    job[pe];
    spawn(wait_often(pe == 1 ? 6 : 2));
  }
  const auto go_on = [&job](int releases_wanted) {
    for (int i = 0; i < 1000 && releases < releases_wanted; ++i) step_all(job, {0, 1, 2}, 1);
    return releases;
  };
  EXPECT_EQ(go_on(6), 6);
  EXPECT_EQ(job[0].quiescence.waves(), 2U);
  EXPECT_EQ(go_on(8), 6) << "PE 2 has not waited";
  job.advance_clock(100'000);
  EXPECT_EQ(go_on(8), 8);
  EXPECT_EQ(job[0].quiescence.waves(), 4U);
  EXPECT_EQ(go_on(14), 14) << "a wait that begins with a wave needs no clock";
  for (int i = 0; i < 100; ++i) {
    job.advance_clock(20'000);
    step_all(job, {0, 1, 2}, 1);
  }
  EXPECT_TRUE(job[0].quiescence.ended());
}

void nothing() {}
void relay() { at(2).past<nothing>(); }

TEST(quiescence, after_a_wave_in_vain_waits_are_patient) {
  constexpr int patient_waits = 8;
  constexpr std::int64_t a_delay_ns = 20'000;
  interleaved_job job(3);
  begin_job(job);
  spawn([]() -> task<void> {
    at(1).past<relay>();
    co_await wait_here(patient_waits + 1);
    remote::current_pe->quiescence.program_ended(0);
  }());
  // PE 2 answers the first wave before the message from PE 1 is on its way to it.
  for (const pe_id pe : {0, 2, 1}) step_all(job, {pe}, 5);
  step_all(job, {0, 1, 2}, 1000);
  ASSERT_EQ(job[0].quiescence.waves(), 1U);
  ASSERT_EQ(releases, 0);
  job.advance_clock(a_delay_ns);
  for (int waits = 1; waits <= patient_waits; ++waits) {
    for (int i = 0; i < 100 && releases < waits; ++i) step_all(job, {0, 1, 2}, 1);
    ASSERT_EQ(releases, waits);
    EXPECT_EQ(job[0].quiescence.waves(), 1U + 2 * static_cast<unsigned>(waits));
    // Now it waits again.
    EXPECT_EQ(job[0].quiescence.due(), waits == patient_waits);
  }
  step_all(job, {0, 1, 2}, 100);
  EXPECT_EQ(releases, patient_waits + 1);
  EXPECT_TRUE(job[0].quiescence.ended());
}

task<void> wait_for_ever(tsubu::sync<int>& box) { co_await box.read(); }
task<int> never() {
  static tsubu::sync<int> box;
  co_return co_await box.read();
}

TEST(quiescence_death, deadlock) {
  auto run = [] {
    interleaved_job job(3);
    job[0].expect_programs(1);
    spawn([]() -> task<void> { co_await at(2).now<never>(); }());
    job[1];
    tsubu::sync<int> box;
    spawn(wait_for_ever(box));
    job.run();
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(exit_code::deadlock),
              "tsubu: deadlock: .*\n"
              "tsubu:   PE 0: a task waits for a reply \\(PE 2, .*never.*\\), at .*quiescence_test.cpp:[0-9]+\n"
              "tsubu:   PE 1: a task waits for sync, at .*quiescence_test.cpp:[0-9]+\n"
              "tsubu:   PE 2: a task waits for sync, at .*quiescence_test.cpp:[0-9]+\n");
}

// Promise: a thousand that wait at one place do not hide the one that explains it.
task<void> ask_for_ever() { co_await at(1).now<never>(); }
TEST(quiescence_death, many_alike) {
  auto run = [] {
    interleaved_job job(2);
    job[0].expect_programs(1);
    tsubu::sync<int> box;
    for (int i = 0; i < 1000; ++i) spawn(wait_for_ever(box));
    spawn(ask_for_ever());
    job.run();
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(exit_code::deadlock),
              "tsubu:   PE 0: a task waits for a reply \\(PE 1, .*never.*\\), at .*quiescence_test.cpp:[0-9]+\n"
              "tsubu:   PE 0: and 990 more wait for sync, at .*quiescence_test.cpp:[0-9]+\n");
}

// Promise: where the programs of some PEs have ended and others wait for these, the report says what they have
// returned, and the job ends with that; it is no deadlock unless all of them returned 0.
void stand_still(const std::vector<int>& returned) {
  const auto pes = static_cast<pe_id>(returned.size() + 1);
  interleaved_job job(pes);
  job[0].expect_programs(pes);
  for (std::size_t i = 0; i < returned.size(); ++i) job[0].quiescence.program_ended(returned[i], static_cast<pe_id>(i));
  job[pes - 1];
  tsubu::sync<int> box;
  spawn(wait_for_ever(box));
  job.run();
}
TEST(quiescence_death, programs_have_returned) {
  const std::string waits =
      ": nothing is left to run and no message is in flight.\n"
      "tsubu:   PE [0-9]+: a task waits for sync, at .*quiescence_test.cpp:[0-9]+\n";
  EXPECT_EXIT(
      stand_still({0, 2}), testing::ExitedWithCode(2),
      "^tsubu: PE 1's program has returned 2, and others wait for ever" + waits + "tsubu: the job ends with code 2\n");
  EXPECT_EXIT(stand_still({0, 0, 0}), testing::ExitedWithCode(exit_code::deadlock),
              "^tsubu: deadlock: .*, but the program has not ended on 1 of 4 PEs.\ntsubu:   PE 3: a task waits");
  EXPECT_EXIT(stand_still({1, 0, 7, 3, 3, 3, 3, 3, 3, 3, 3}), testing::ExitedWithCode(7),
              "^tsubu: PE 0's program has returned 1, PE 2's program has returned 7, .*PE 8's program has returned 3, "
              "2 more have returned another code than 0, and others wait for ever" +
                  waits);
}

}  // namespace
}  // namespace tsubu
