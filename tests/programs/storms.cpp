// Promise: no message is lost or executed twice, however many PEs send to however many, and
// quiescence() is told only when all of them, and all that they caused, have been executed.
// Method: fan-in, fan-out, all to all, avalanches that grow by messages sending messages, and chains
// of nested calls around the ring, each counted exactly. --seed N.
#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::storms {

pe_local<long> count;

void add(long n) { *count += n; }
long counted() { return *count; }

task<void> check_total(long wanted, const char* what) {
  co_await quiescence();
  expect_equal(co_await everywhere().now<counted>(reduce::plus), wanted, what);
  co_await everywhere().now([] { *count = 0; });
}

void send_to(pe_id to, long n) {
  for (long i = 0; i < n; ++i) at(to).past<add>(1);
}
void send_everywhere(long n) {
  for (long i = 0; i < n; ++i) everywhere().past<add>(1);
}

// Every message causes two more, on random PEs, until its strength is used up: 2^strength - 1 in all.
void avalanche(std::uint64_t seed, int strength) {
  ++*count;
  if (strength == 1) return;
  for (std::uint64_t side = 0; side < 2; ++side) {
    const std::uint64_t next = (seed + side + 1) * 6364136223846793005ULL + 1442695040888963407ULL;
    at(static_cast<pe_id>((next >> 33) % static_cast<std::uint64_t>(pe_count()))).past<avalanche>(next, strength - 1);
  }
}

// The same with tasks that wait now and then.
task<void> slow_avalanche(std::uint64_t seed, int strength) {
  if (seed % 5 == 0) co_await sleep_for(std::chrono::microseconds(seed % 300));
  if (seed % 3 == 0) co_await yield();
  ++*count;
  if (strength == 1) co_return;
  for (std::uint64_t side = 0; side < 2; ++side) {
    const std::uint64_t next = (seed + side + 1) * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto to = static_cast<pe_id>((next >> 33) % static_cast<std::uint64_t>(pe_count()));
    co_await at(to).past<slow_avalanche>(next >> 7, strength - 1);
  }
}

// Calls itself on the next PE, `depth` deep.
task<long> around(long depth) {
  if (depth == 0) co_return 0;
  const long rest = co_await at((this_pe() + 1) % pe_count()).now<around>(depth - 1);
  co_return rest + 1;
}

task<int> program(arguments args) {
  std::mt19937_64 random = seeded(args);
  const long p = pe_count();
  constexpr long many = 50'000;

  everywhere().past<send_to>(0, many);
  co_await check_total(p * many, "a storm to PE 0");
  for (int round = 0; round < 3; ++round) {
    const auto to = static_cast<pe_id>(below(random, static_cast<std::size_t>(p)));
    everywhere().past<send_to>(to, many / 5);
    co_await check_total(p * (many / 5), "a storm to a random PE");
  }
  send_everywhere(many / p);
  co_await check_total(many / p * p, "a storm from PE 0");
  everywhere().past<send_everywhere>(many / p);
  co_await check_total(many / p * p * p, "a storm of all to all");

  for (int round = 0; round < 5; ++round) {
    const std::uint64_t seed = random();
    at(static_cast<pe_id>(seed % static_cast<std::uint64_t>(p))).past<avalanche>(seed, 14);
    co_await check_total((1 << 14) - 1, "an avalanche");
    at(static_cast<pe_id>(seed % static_cast<std::uint64_t>(p))).past<slow_avalanche>(seed, 11);
    co_await check_total((1 << 11) - 1, "a slow avalanche");
  }
  // Quiescence again and again with little or nothing in between.
  for (long i = 0; i < 200; ++i) {
    if (i % 3 != 0) at(static_cast<pe_id>(i % p)).past<add>(1);
    co_await quiescence();
    if (i % 3 != 0)
      expect_equal(co_await at(static_cast<pe_id>(i % p)).now<counted>(), 1, "one message before quiescence");
    if (i % 3 != 0) co_await at(static_cast<pe_id>(i % p)).now([] { *count = 0; });
  }

  expect_equal(co_await around(300), 300, "a chain of nested calls");
  std::vector<future<long>> chains;
  for (long k = 0; k < 50; ++k) chains.push_back(at(static_cast<pe_id>(k % p)).future<around>(k));
  const std::vector<long> depths = co_await when_all(std::move(chains));
  for (long k = 0; k < 50; ++k) expect_equal(depths[static_cast<std::size_t>(k)], k, "one of many chains");
  co_return 0;
}

const test::joined_program entry("storms", run, program);

}  // namespace programs::storms
