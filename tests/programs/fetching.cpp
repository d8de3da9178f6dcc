// Promise: handlers that are coroutines and fetch take turns, and nothing else changes: each is executed once, those
// from one PE start in the order they were sent, quiescence and epochs wait for all, and one that waits for a later
// message gets it. Method: crowds of messages that fetch up to three times, send on, yield, sleep, ask or throw,
// counted exactly. --messages N, --seed N.
#include <vector>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::fetching {

struct state {
  std::vector<std::int64_t> started = std::vector<std::int64_t>(static_cast<std::size_t>(pe_count()));  // by sender
  std::int64_t ended = 0;
  std::int64_t thrown = 0;
  std::uint64_t sum = 0;
  std::vector<std::uint64_t> memory = std::vector<std::uint64_t>(1 << 16, 1);
  bool flag = false;
};
pe_local<state> here;

const std::uint64_t* place(std::uint64_t word) { return &here->memory[word % here->memory.size()]; }

task<void> plain_end(std::int64_t) {
  co_await fetch(place(1));
  ++here->ended;
}

task<void> visit(pe_id from, std::int64_t number, std::uint64_t word) {
  expect_equal(number, here->started[static_cast<std::size_t>(from)]++, "the order of PE " + std::to_string(from));
  for (std::uint64_t i = 0; i < word % 4; ++i) {
    co_await fetch(place(word >> i));
    here->sum += *place(word >> i);
  }
  if (word % 61 == 0) co_await yield();
  if (word % 1021 == 0) co_await sleep_for(std::chrono::microseconds(word % 50));
  if (word % 509 == 0) co_await at(static_cast<pe_id>(word % static_cast<std::uint64_t>(pe_count()))).now([] {});
  if (word % 31 == 0) at(from).past<plain_end>(number);
  if (word % 127 == 0) throw 1;
  ++here->ended;
}

// One that owns memory: its packets tell their own length.
task<void> visit_named(std::string name) {
  co_await fetch(place(name.size()));
  expect_equal(name.size(), static_cast<std::size_t>(name.back() - '0'), "the length of a name");
  ++here->ended;
}

task<void> wait_for_flag() {
  while (!here->flag) co_await fetch(place(0));
  ++here->ended;
}
void set_flag() { here->flag = true; }

std::int64_t take_ended() { return std::exchange(here->ended, 0) + std::exchange(here->thrown, 0); }
void begin() {
  std::fill(here->started.begin(), here->started.end(), 0);
  here->flag = false;
}

// Returns how many ends it will cause.
task<std::int64_t> send_crowd(std::int64_t messages, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> next(static_cast<std::size_t>(pe_count()));
  std::int64_t ends = 0;
  for (std::int64_t i = 0; i < messages; ++i) {
    const auto to = static_cast<pe_id>(below(random, next.size()));
    const std::uint64_t word = random() >> 16;
    co_await at(to).past<visit>(this_pe(), next[static_cast<std::size_t>(to)]++, word);
    ends += word % 31 == 0 ? 2 : 1;
    if (i % 97 == 0) {
      at(to).past<visit_named>(std::string(3, 'x') + "4");
      ++ends;
    }
  }
  co_return ends;
}

task<std::int64_t> send_crowd_in_epoch(std::int64_t messages, std::uint64_t seed) {
  std::int64_t ends = 0;
  auto body = [&]() -> task<void> { ends = co_await send_crowd(messages, seed); };
  co_await epoch(body);
  co_return ends;
}

task<int> program(arguments args) {
  std::mt19937_64 random = seeded(args);
  const auto messages = static_cast<std::int64_t>(option(args, "--messages", 30'000));
  on_past_exception([](std::exception_ptr) { ++here->thrown; });
  for (int round = 0; round < 3; ++round) {
    begin();
    co_await barrier();
    const std::uint64_t seed = random();
    std::int64_t ends = 0;
    if (round == 1) {
      ends = co_await send_crowd_in_epoch(messages / 3, seed);
      co_await barrier();
    } else {
      ends = co_await send_crowd(messages, seed);
      co_await quiescence();
    }
    const std::int64_t wanted = co_await all_reduce(ends, reduce::plus);
    expect_equal(co_await all_reduce(take_ended(), reduce::plus), wanted, "handlers that have ended");
    co_await barrier();
  }
  begin();
  co_await barrier();
  const pe_id next = (this_pe() + 1) % pe_count();
  for (int i = 0; i < 300; ++i) at(next).past<wait_for_flag>();
  at(next).past<set_flag>();
  co_await quiescence();
  expect_equal(take_ended(), 300, "handlers that waited for a later message");
  co_return 0;
}

const test::joined_program entry("fetching", run_spmd, program);

}  // namespace programs::fetching
