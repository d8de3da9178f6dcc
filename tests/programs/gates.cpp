// Promise: threads that are no PEs reach a job through gates: what they post runs on the gate's PE, in each thread's
// order; a PE that sleeps wakes up; the job stays until the last copy of a gate has gone. gates KIND.
#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

pe_local<std::uint64_t> received;
void receive(std::uint64_t n) { *received += n; }

task<int> promises(arguments) {
  promise<int> result;
  future<int> later = result.get_future();
  std::thread other([in = gate(), result = std::move(result)]() mutable {
    in.post([r = std::move(result)] { r.set_value(42); });
    in = gate(in);  // copies may come and go
  });
  const int n = co_await later;
  other.join();
  expect_equal(n, 42, "what the other thread has set");
  co_return 0;
}

// More than a gate holds: the threads are held up, and nothing is lost.
task<int> crowd(arguments) {
  constexpr std::uint64_t threads = 3, posts = 100'000;
  std::vector<std::thread> others;
  auto last = std::make_shared<std::vector<std::uint64_t>>(threads);
  for (std::uint64_t t = 0; t < threads; ++t) {
    others.emplace_back([in = gate(), last, t] {
      for (std::uint64_t i = 1; i <= posts; ++i) {
        in.post([last, t, i] {
          expect_equal(++(*last)[t], i, "the next of a thread's posts");
          at(static_cast<pe_id>(i) % pe_count()).past<receive>(i);
        });
      }
    });
  }
  co_await quiescence();  // the gates are closed, and all that came through has run
  for (std::thread& t : others) t.join();
  const std::uint64_t all = co_await all_reduce(*received, reduce::plus);
  expect_equal(all, static_cast<std::uint64_t>(pe_count()) * threads * posts * (posts + 1) / 2, "what was received");
  co_return 0;
}

// Each waits for the other, and sleeps.
task<int> in_turns(arguments) {
  constexpr int rounds = 2000;
  auto turn = std::make_shared<std::atomic<int>>(0);
  std::thread other([in = gate(), turn] {
    for (int i = 0; i < rounds; ++i) {
      in.post([turn] {
        ++*turn;
        turn->notify_one();
      });
      turn->wait(i);
    }
  });
  co_await quiescence();
  other.join();
  expect_equal(turn->load(), rounds, "the rounds");
  co_return 0;
}

// The program returns at once; what comes later is part of the job.
std::atomic<int> ran_late{0};
std::vector<std::thread> late_threads;
task<int> late(arguments) {
  std::promise<void> returned;
  late_threads.emplace_back([in = gate(), when = returned.get_future()] {
    when.wait();
    in.post([in] {
      const gate another;  // to this PE, while its gates are looked at
      another.post([] { ++ran_late; });
      ++ran_late;
    });
  });
  returned.set_value();
  co_return 0;
}

// The same without a gate is refused.
task<void> take(future<int> later) { co_await later; }
task<int> no_gate(arguments) {
  promise<int> result;
  spawn(take(result.get_future()));
  std::thread other([&] { result.set_value(1); });
  other.join();
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  if (kind == "promises") return run_spmd(argc, argv, promises);
  if (kind == "crowd") return run_spmd(argc, argv, crowd);
  if (kind == "in-turns") return run_spmd(argc, argv, in_turns);
  if (kind == "no-gate") return run(argc, argv, no_gate);
  if (kind != "late") return 3;
  const int code = run(argc, argv, late);
  for (std::thread& t : late_threads) t.join();
  return code != 0 || ran_late == (late_threads.empty() ? 0 : 2) ? code : 1;
}
