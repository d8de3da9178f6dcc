// Promise: an epoch ends when all that its body caused has run, everywhere, never before; many are open at once, on
// every PE and nested, and none waits for what goes on outside. Method: every PE opens epochs of random trees of
// messages, calls, tasks, fibers, large messages and inner epochs. Each epoch has a number that its messages carry;
// what began and ended of it is counted on every PE, compared when it has ended, and whatever comes later is an error.
// Meanwhile other messages bounce until all have finished. --seed N.
#include <numeric>
#include <unordered_map>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::epochs {

struct book {
  long begun = 0;
  long ended = 0;
  bool over = false;
};

struct state {
  std::unordered_map<std::uint64_t, book> books;
  std::uint64_t opened = 0;
  std::mt19937_64 random;
  bool stop = false;
  long bounced = 0;
};
pe_local<state> mine;

pe_id any_pe() { return static_cast<pe_id>(below(mine->random, static_cast<std::size_t>(pe_count()))); }
bool one_in(std::size_t n) { return below(mine->random, n) == 0; }

void begin(std::uint64_t number) {
  book& b = mine->books[number];
  expect(!b.over, "nothing of an epoch begins after its end");
  ++b.begun;
}
void end(std::uint64_t number) {
  book& b = mine->books[number];
  expect(!b.over, "nothing of an epoch ends after its end");
  ++b.ended;
}
long outstanding(std::uint64_t number) {
  book& b = mine->books[number];
  b.over = true;
  return b.begun - b.ended;
}
long ended_in(std::uint64_t number) { return mine->books[number].ended; }

template <class Body>
task<std::uint64_t> watched_epoch(Body body) {
  const std::uint64_t number = static_cast<std::uint64_t>(this_pe()) << 32 | ++mine->opened;
  auto numbered = [body, number] { return body(number); };
  co_await epoch(numbered);
  expect_equal(co_await everywhere().now<outstanding>(reduce::plus, number), 0, "what is left of an epoch at its end");
  co_return number;
}

// ---- random trees

void grow(std::uint64_t number, int depth);
task<void> grow_slowly(std::uint64_t number, int depth);
task<int> answer_slowly(std::uint64_t number, int depth);
void take_large(std::uint64_t number, std::vector<int> values);

void in_a_fiber(std::uint64_t number, int depth) {
  if (one_in(2)) wait(sleep_for(std::chrono::microseconds(below(mine->random, 200))));
  begin(number);
  expect_equal(wait(at(any_pe()).now<answer_slowly>(number, depth - 1)), depth - 1, "an answer in a fiber");
  end(number);
}

void send_on(std::uint64_t number, int depth) {
  if (depth == 0) return;
  for (std::size_t n = below(mine->random, 4); n > 0; --n) {
    begin(number);
    switch (below(mine->random, 8)) {
      case 0:
        at(any_pe()).past<grow_slowly>(number, depth - 1);
        break;
      case 1: {
        const auto nobody_waits = at(any_pe()).future<answer_slowly>(number, depth - 1);
        break;
      }
      case 2:
        spawn_fiber([number, depth] { in_a_fiber(number, depth); });
        break;
      case 3:
        at(any_pe()).past([number, depth] { grow(number, depth - 1); });
        break;
      case 4: {
        const std::vector<int> values(one_in(4) ? 50'000 : 5, depth);
        at(any_pe()).past<take_large>(number, values);
        break;
      }
      default:
        at(any_pe()).past<grow>(number, depth - 1);
    }
  }
}
void grow(std::uint64_t number, int depth) {
  send_on(number, depth);
  end(number);
}
void take_large(std::uint64_t number, std::vector<int> values) { grow(number, values.empty() ? 0 : values.back() - 1); }

task<void> tree(std::uint64_t number, int depth) {
  for (int k = 0; k < 3; ++k) send_on(number, depth);
  begin(number);
  co_await grow_slowly(number, depth);
}

task<void> grow_slowly(std::uint64_t number, int depth) {
  if (one_in(3)) co_await yield();
  if (one_in(5)) co_await sleep_for(std::chrono::microseconds(below(mine->random, 300)));
  if (depth > 0 && one_in(3)) {
    begin(number);
    expect_equal(co_await at(any_pe()).now<answer_slowly>(number, depth - 1), depth - 1, "an answer");
  }
  if (depth > 1 && one_in(8)) {
    auto inner = [depth](std::uint64_t n) { return tree(n, depth - 1); };
    co_await watched_epoch(inner);
  }
  send_on(number, depth);
  end(number);
}
task<int> answer_slowly(std::uint64_t number, int depth) {
  co_await grow_slowly(number, depth);
  co_return depth;
}

// ---- what does not belong to any epoch, and outlasts all

void bounce() {
  ++mine->bounced;
  if (!mine->stop) at(any_pe()).past<bounce>();
}

// ---- epochs of one kind

void hop_on(std::uint64_t number, long left) {
  if (left > 0) {
    begin(number);
    at((this_pe() + 1) % pe_count()).past<hop_on>(number, left - 1);
  }
  end(number);
}

task<void> crowd(long many) {
  auto flood = [many](std::uint64_t number) -> task<void> {
    for (long i = 0; i < many; ++i) {
      begin(number);
      co_await at(any_pe()).past<hop_on>(number, 1L);
    }
  };
  const std::uint64_t number = co_await watched_epoch(flood);
  expect_equal(co_await everywhere().now<ended_in>(reduce::plus, number), 2 * many, "messages of a flood");
}

task<void> one_long_chain(long hops) {
  auto chain = [hops](std::uint64_t number) -> task<void> {
    begin(number);
    hop_on(number, hops);
    co_return;
  };
  const std::uint64_t number = co_await watched_epoch(chain);
  expect_equal(co_await everywhere().now<ended_in>(reduce::plus, number), hops + 1, "hops of a chain");
}

task<void> memory() {
  const pe_id next = (this_pe() + 1) % pe_count();
  const auto small = co_await allocate<long>(next, 1000);
  const auto large = co_await allocate<long>(next, 100'000);
  const std::vector<long> values(100'000, this_pe() + 5L);
  std::vector<long> back(values.size());
  auto write = [&]() -> task<void> {
    for (long i = 0; i < 1000; ++i) small[i].put(i);
    spawn(large.write(values));  // nobody waits but the epoch
    co_return;
  };
  co_await epoch(write);
  auto read = [&]() -> task<void> {
    spawn(large.read(std::span(back)));
    co_return;
  };
  co_await epoch(read);
  expect(back == values, "a bulk write and a bulk read that only epochs waited for");
  const long sum = co_await at(next).now([small] { return std::accumulate(small.local(), small.local() + 1000, 0L); });
  expect_equal(sum, 499'500, "what was put");
  co_await deallocate(small);
  co_await deallocate(large);
}

task<void> exceptions() {
  for (bool later : {false, true}) {
    std::uint64_t number = 0;
    bool caught = false;
    auto body = [&](std::uint64_t n) -> task<void> {
      number = n;
      begin(n);
      at(any_pe()).past<grow_slowly>(n, 4);
      if (later) co_await yield();
      throw std::range_error("the body");
    };
    try {
      co_await watched_epoch(body);
    } catch (const std::range_error& e) {
      caught = std::string(e.what()) == "the body";
    }
    expect(caught, "the exception of an epoch's body");
    expect_equal(co_await everywhere().now<outstanding>(reduce::plus, number), 0, "what is left after an exception");
  }
  // Bodies that are no coroutines, and the empty ones.
  co_await epoch([] {});
  co_await epoch([]() -> task<void> { co_return; });
  bool caught = false;
  try {
    co_await epoch([] { throw std::range_error("a plain body"); });
  } catch (const std::range_error&) {
    caught = true;
  }
  expect(caught, "the exception of a plain body");
}

task<int> program(arguments args) {
  const std::uint64_t seed = option(args, "--seed", 1);
  if (this_pe() == 0) std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  mine->random.seed(seed * 1000 + static_cast<std::uint64_t>(this_pe()));
  const int rounds = static_cast<int>(option(args, "--rounds", 6));
  const long many = static_cast<long>(option(args, "--messages", 20'000));
  co_await barrier();
  at(any_pe()).past<bounce>();

  for (int round = 0; round < rounds; ++round) {
    auto large = [](std::uint64_t number) { return tree(number, 6); };
    auto small = [](std::uint64_t number) { return tree(number, 3); };
    co_await watched_epoch(large);
    co_await for_each_in_flight(std::views::iota(0, 5), 3, [&](int) -> task<void> { co_await watched_epoch(small); });
  }
  co_await crowd(many);
  if (this_pe() == 0) co_await one_long_chain(many / 20);
  co_await memory();
  co_await exceptions();
  expect(co_await run_fiber([] {
           auto small = [](std::uint64_t number) { return tree(number, 3); };
           return wait(watched_epoch(small)) != 0;
         }),
         "an epoch that a fiber waits for");

  // All epochs of all PEs have ended while the other messages still bounced. Now these stop.
  co_await barrier();
  mine->stop = true;
  co_await quiescence();
  const std::size_t parts = remote::current_pe->epochs.parts();
  expect_equal(parts, 0U, "epochs that a PE keeps");
  const long bounced = co_await all_reduce(mine->bounced, reduce::plus);
  long ended = 0;
  for (const auto& [number, b] : mine->books) ended += b.ended;
  const long total = co_await all_reduce(ended, reduce::plus);
  if (this_pe() == 0) std::printf("%ld messages and tasks in epochs, %ld outside\n", total, bounced);
  co_return 0;
}

const test::joined_program entry("epochs", run_spmd, program);

}  // namespace programs::epochs
