// Promise: updates that are combined come to what they would have come to one by one, in fewer messages when keys
// repeat; quiescence and epochs wait for those that are deferred, and a lone one does not stay behind. Method: every
// PE updates random keys, few or many, on all PEs, with two functions and operations and in epochs, and the owners
// compare with sums taken aside. --seed N.
#include <unordered_map>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"
#include "tsubu/message/ledger.hpp"

using namespace tsubu;

namespace programs::combining {

constexpr std::uint32_t most_keys = 5'000;

struct table {
  std::vector<long> sums = std::vector<long>(most_keys);
  std::vector<int> least = std::vector<int>(most_keys, 1 << 30);
};
pe_local<table> mine;

void add(std::uint32_t key, long n) { mine->sums[key] += n; }
void lower(std::uint32_t key, int n) { mine->least[key] = std::min(mine->least[key], n); }
std::vector<long> sums() { return mine->sums; }

void clear() { *mine = table(); }
pe_id owner(std::uint32_t key) { return static_cast<pe_id>(key % static_cast<std::uint32_t>(pe_count())); }

struct updates {
  std::vector<long> sums = std::vector<long>(most_keys);
  std::vector<int> least = std::vector<int>(most_keys, 1 << 30);
};

task<updates> update(std::mt19937_64& random, std::size_t keys, long many) {
  updates done;
  for (long i = 0; i < many; ++i) {
    const auto key = static_cast<std::uint32_t>(below(random, keys));
    const int n = static_cast<int>(below(random, 1000));
    done.sums[key] += n;
    co_await at(owner(key)).past_combining<add>(key, n);
    if (i % 3 == 0) {
      done.least[key] = std::min(done.least[key], n);
      co_await at(owner(key)).past_combining<lower>(key, n, reduce::min);
    }
  }
  co_return done;
}

task<void> compare(const updates& done) {
  const std::vector<long> all = co_await all_reduce(done.sums, reduce::plus);
  const std::vector<int> least = co_await all_reduce(done.least, reduce::min);
  for (std::uint32_t key = 0; key < most_keys; ++key) {
    const bool here = owner(key) == this_pe();
    expect_equal(mine->sums[key], here ? all[key] : 0, "a combined sum");
    expect_equal(mine->least[key], here ? least[key] : 1 << 30, "a combined minimum");
  }
  co_await barrier();
  clear();
  co_await barrier();
}

void add_from_here(std::uint32_t key, long n) { (void)at(owner(key)).past_combining<add>(key, n); }

task<int> program(arguments args) {
  std::mt19937_64 random = seeded(args);
  constexpr long many = 20'000;
  const message::counters& counted = remote::current_pe->messages.counted();

  for (std::size_t keys : {std::size_t{1}, std::size_t{30}, std::size_t{most_keys}}) {
    co_await barrier();
    const std::uint64_t before = counted.packets_sent;
    const updates done = co_await update(random, keys, many);
    const std::uint64_t packets = counted.packets_sent - before;
    co_await quiescence();
    if (keys < 50) expect(packets < many / 4, "a quarter of the updates travels, not " + std::to_string(packets));
    co_await compare(done);
  }

  // Two epochs on every PE at once: each ends when its own have been executed, and they share tables.
  std::vector<updates> done(2);
  auto in_epoch = [&](int i) -> task<void> {
    updates& mine_here = done[static_cast<std::size_t>(i)];
    auto body = [&]() -> task<void> { mine_here = co_await update(random, 200, many / 4); };
    co_await epoch(body);
  };
  co_await for_each_in_flight(std::views::iota(0, 2), 2, in_epoch);
  co_await barrier();
  for (std::uint32_t key = 0; key < most_keys; ++key) {
    done[0].sums[key] += done[1].sums[key];
    done[0].least[key] = std::min(done[0].least[key], done[1].least[key]);
  }
  co_await compare(done[0]);  // no quiescence: the epochs have waited

  // Handlers that combine, and a lone update: nothing stays behind.
  if (this_pe() == 0) {
    auto lone = [] { (void)at(pe_count() - 1).past_combining<add>(static_cast<std::uint32_t>(pe_count() - 1), 7L); };
    co_await epoch(lone);
    const auto last = static_cast<std::uint32_t>(pe_count() - 1);
    expect_equal((co_await at(pe_count() - 1).now<sums>())[last], 7, "a lone update");
    auto through_handlers = []() -> task<void> {
      for (int i = 0; i < 1000; ++i) co_await at(i % pe_count()).past<add_from_here>(0U, 1L);
    };
    co_await epoch(through_handlers);
    expect_equal((co_await at(0).now<sums>())[0], pe_count() == 1 ? 1007 : 1000, "updates that handlers combine");
  }
  co_return 0;
}

const test::joined_program entry("combining", run_spmd, program);

}  // namespace programs::combining
