// Promises: on a machine that is LogGP and nothing else, a job takes what LogGP says, at every number of PEs; the same
// job takes the same time each time; a seed changes the order of things, and the same seed gives the same order.
// Method: the time of each exchange is calculated here, by the model's rules, beside the runtime that is simulated.
#include "tsubu/sim/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "tsubu/base/clock.hpp"
#include "tsubu/base/sanitizer.hpp"
#include "tsubu/base/tree.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/sim/driven.hpp"

namespace tsubu {
namespace {

// Handlers that send from inside a handler: no task, so nothing but the model's costs.
using program = void (*)();

struct outcome {
  std::int64_t ps = 0;  // noted by the job
  std::uint64_t events = 0;
};

std::int64_t noted_ps = 0;

// The job ends when it is quiescent: no program reports its end, which would be a message more.
task<void> run_start(program start) {
  start();
  co_return;
}

// `start` runs on every PE.
outcome simulate(const sim::machine& on, int pes, program start, std::uint64_t seed = 0, std::size_t batch_bytes = 0) {
  noted_ps = 0;
  transport::launch_settings how;
  how.pes = pes;
  how.hops = 1;
  how.batch_bytes = batch_bytes;
  task_context of_nobody;
  const task_context_scope on_this_stack(of_nobody);
  sim::engine_settings settings;
  settings.seed = seed;
  settings.control_is_free = true;
  sim::engine engine(on, how, settings, [&](transport::transport& end) {
    auto pe = std::make_unique<remote::pe>(end);
    pe->enter();
    const task_context_scope here(pe->tasks);
    pe->expect_programs(0);
    spawn(run_start(start));
    return sim::driven(std::move(pe));
  });
  EXPECT_EQ(engine.run(), 0);
  return {noted_ps, engine.events()};
}

void note() { noted_ps = std::max(noted_ps, simulated->now_ps()); }

// What one message is on the wire: a run's header and an int.
constexpr std::int64_t bytes = 8 + sizeof(int);

struct model {
  std::int64_t o, g, latency, byte;
  explicit model(const sim::machine& m)
      : o(m.cost.batch_send),
        g(m.network.sender.packet_ps),
        latency(m.network.latency),
        byte(bytes * m.network.sender.byte_fs / 1000) {}
  std::int64_t flight() const { return latency + byte; }
  std::int64_t apart() const { return std::max(o, g + byte); }
};

sim::machine loggp() { return sim::read_machine("loggp"); }

void expect_near(std::int64_t simulated_ps, std::int64_t exact_ps, int pes) {
  EXPECT_NEAR(static_cast<double>(simulated_ps), static_cast<double>(exact_ps), 1e-3 * static_cast<double>(exact_ps))
      << pes << " PEs";
}

// ---- to and fro

constexpr int rounds = 1000;
void ping(int left) {
  if (left == 0) return note();
  at(1 - this_pe()).past<ping>(left - 1);
}

TEST(loggp, ping_pong) {
  const model m(loggp());
  const outcome run = simulate(loggp(), 2, [] {
    if (this_pe() == 0) at(1).past<ping>(2 * rounds - 1);
  });
  expect_near(run.ps, 2 * rounds * (m.o + m.flight() + m.o), 2);
}

// ---- down a tree: who has it sends it to its children, one after the other

void pass_down(int) {
  note();
  for_each_child(this_pe(), pe_count(), [](pe_id child) { at(child).past<pass_down>(0); });
}

std::int64_t last_of_tree(const model& m, pe_id pe, int pes, std::int64_t has_ps) {
  std::int64_t last = has_ps, sends = has_ps, leaves = has_ps;
  for_each_child(pe, pes, [&](pe_id child) {
    sends += m.o;
    leaves = std::max(sends, leaves);
    last = std::max(last, last_of_tree(m, child, pes, leaves + m.flight() + m.o));
    leaves += m.g + m.byte;
  });
  return last;
}

TEST(loggp, broadcast_down_a_tree) {
  const model m(loggp());
  for (int pes = 2; pes <= 1024; pes *= 2) {
    const outcome run = simulate(loggp(), pes, [] {
      if (this_pe() == 0) pass_down(0);
    });
    expect_near(run.ps, last_of_tree(m, 0, pes, 0), pes);
  }
}

// ---- all to all, each beginning with the PE behind it

struct received {
  int messages = 0;
};
pe_local<received> so_far;
void take(int) {
  if (++so_far->messages == pe_count() - 1) note();
}

TEST(loggp, all_to_all) {
  const model m(loggp());
  // A million batches are on the way at a time, and ThreadSanitizer keeps five times their memory: 20 GB.
  constexpr int most_pes = TSUBU_TSAN ? 128 : 1024;
  for (const int pes : {2, 3, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
    if (pes > most_pes) break;
    const outcome run = simulate(loggp(), pes, [] {
      for (pe_id k = 1; k < pe_count(); ++k) at((this_pe() + k) % pe_count()).past<take>(0);
    });
    // All send at the same times, so one message arrives for each that leaves, and each is taken when the PE has sent
    // all of its own.
    std::int64_t free = (pes - 1) * m.o;
    for (int k = 1; k < pes; ++k) {
      const std::int64_t arrives = m.o + (k - 1) * m.apart() + m.flight();
      free = std::max(free, arrives) + m.o;
    }
    expect_near(run.ps, free, pes);
  }
}

// ---- the same again

TEST(engine, a_seed_gives_one_order) {
  const auto run = [](std::uint64_t seed) {
    return simulate(
        loggp(), 16,
        [] {
          for (pe_id k = 1; k < pe_count(); ++k) at((this_pe() + k) % pe_count()).past<take>(0);
        },
        seed);
  };
  int different = 0;
  const outcome plain = run(0);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const outcome once = run(seed), again = run(seed);
    EXPECT_EQ(once.ps, again.ps) << "seed " << seed;
    EXPECT_EQ(once.events, again.events) << "seed " << seed;
    different += once.ps != plain.ps ? 1 : 0;
  }
  EXPECT_GT(different, 10);
}

// ---- protocols

void take_list(const std::vector<double>&) { note(); }
template <std::size_t values>
std::int64_t clocks_of_list() {
  const sim::machine em4 = sim::read_machine("em4");
  const outcome run = simulate(em4, 2, [] {
    if (this_pe() == 0) at(1).past<take_list>(std::vector<double>(values));
  });
  return run.ps / em4.clock_ps;
}

// A word takes its sender 2 clocks, and nothing waits for the next.
TEST(engine, a_list_goes_word_by_word) {
  const std::int64_t few = clocks_of_list<10>();
  EXPECT_GT(few, 10 * 2);
  EXPECT_EQ(clocks_of_list<110>() - few, 100 * 2);
}

TEST(engine, work_takes_the_machines_clocks) {
  const outcome run = simulate(loggp(), 2, [] {
    if (this_pe() != 0) return;
    work(1500);
    note();
  });
  EXPECT_EQ(run.ps, 1'500'000);
}

// ---- batches that grow

int came_whole = 0;
template <std::size_t bytes>
void take(std::array<std::uint8_t, bytes> packet) {
  came_whole += packet.front() == bytes % 251 && packet.back() == bytes % 251 ? 1 : 0;
}
template <std::size_t bytes>
void send_packet() {
  std::array<std::uint8_t, bytes> packet;
  packet.fill(bytes % 251);
  at(1).past<take<bytes>>(packet);
}
template <std::size_t... more>
void send_packets(std::index_sequence<more...>) {
  (send_packet<225 + more>(), ...);
}

TEST(engine, packets_of_any_length_about_that_of_a_batch_arrive) {
  constexpr int times = 3;
  came_whole = 0;
  simulate(
      loggp(), 2,
      [] {
        if (this_pe() != 0) return;
        for (int i = 0; i < times; ++i) send_packets(std::make_index_sequence<40>());
      },
      0, 256);
  EXPECT_EQ(came_whole, times * 40);
}

}  // namespace
}  // namespace tsubu
