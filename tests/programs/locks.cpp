// Locks, counters and named barriers do what docs/data.md says, on every transport: transfers between accounts of all
// PEs lose nothing, readers find both halves of a pair alike, each index is dealt once, and nobody passes a barrier
// before the others have come. locks [--times N] [--seed N]
#include <algorithm>
#include <ranges>
#include <vector>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"
#include "tsubu/tsubu.hpp"

using namespace tsubu;

namespace programs::locks {

// ---- accounts, a lock each, wherever they are

constexpr int accounts_each = 3;
constexpr long at_first = 1000;
pe_local<std::vector<long>> accounts;

long balance(std::size_t i) { return (*accounts)[i]; }
void set_balance(std::size_t i, long value) { (*accounts)[i] = value; }
std::vector<lock> create_locks() {
  accounts->assign(accounts_each, at_first);
  std::vector<lock> mine;
  mine.reserve(accounts_each);
  for (int i = 0; i < accounts_each; ++i) mine.push_back(create_lock());
  return mine;
}

task<void> move_money(std::vector<lock> locks, std::size_t from, std::size_t to, long much) {
  const auto first = co_await locks[std::min(from, to)].acquire();
  held_lock second;
  if (from != to) second = co_await locks[std::max(from, to)].acquire();
  const auto pe_of = [](std::size_t account) { return at(static_cast<pe_id>(account / accounts_each)); };
  const long had = co_await pe_of(from).now<balance>(from % accounts_each);
  co_await pe_of(from).now<set_balance>(from % accounts_each, had - much);
  const long has = co_await pe_of(to).now<balance>(to % accounts_each);
  co_await pe_of(to).now<set_balance>(to % accounts_each, has + much);
}

task<void> transfers(std::uint64_t times, std::mt19937_64& random) {
  std::vector<lock> locks;
  const std::vector<std::vector<lock>> of_all = co_await all_gather(create_locks());
  for (const auto& of_one : of_all) locks.insert(locks.end(), of_one.begin(), of_one.end());
  auto move_some = [&](std::uint64_t) -> task<void> {
    const std::size_t from = below(random, locks.size()), to = below(random, locks.size());
    co_await move_money(locks, from, to, static_cast<long>(below(random, 100)));
  };
  co_await for_each_in_flight(std::views::iota(std::uint64_t{0}, times), 4, move_some);
  co_await barrier();
  long mine = 0;
  for (const long b : *accounts) mine += b;
  const long all = co_await all_reduce(mine, reduce::plus);
  expect_equal(all, at_first * accounts_each * pe_count(), "the sum of all accounts");
  co_await barrier();
  co_await quiescence();  // all are released
  if (this_pe() == 0) {
    for (const lock l : locks) l.end();
  }
}

// ---- a pair that is not changed at once, under an rw_lock

pe_local<long> half;
long get_half() { return *half; }
void set_half(long value) { *half = value; }

task<void> read_pair(rw_lock of) {
  const auto held = co_await of.acquire_shared();
  const long one = co_await at(0).now<get_half>();
  const long other = co_await at(pe_count() - 1).now<get_half>();
  expect_equal(one, other, "the halves of a pair while it is shared");
}
task<void> change_pair(rw_lock of) {
  auto held = co_await of.acquire();
  const long value = co_await at(0).now<get_half>();
  co_await at(0).now<set_half>(value + 1);
  co_await at(pe_count() - 1).now<set_half>(value + 1);
  held.release();
}
task<void> pairs(std::uint64_t times, std::mt19937_64& random) {
  *half = 0;
  co_await barrier();  // nobody changes it before
  const rw_lock of = co_await broadcast(create_rw_lock(), pe_count() / 2);
  std::uint64_t changes = 0;
  auto use_some = [&](std::uint64_t) -> task<void> {
    if (below(random, 4) != 0) {
      co_await read_pair(of);
    } else {
      ++changes;
      co_await change_pair(of);
    }
  };
  co_await for_each_in_flight(std::views::iota(std::uint64_t{0}, times), 4, use_some);
  const auto all = static_cast<long>(co_await all_reduce(changes, reduce::plus));
  expect_equal(co_await at(0).now<get_half>(), all, "the changes of a pair");
}

// ---- indices, dealt by a counter

task<void> deal(std::uint64_t times) {
  const long n = static_cast<long>(times) * pe_count();
  const pe_id home = pe_count() - 1;
  const shared_counter left = co_await broadcast(create_counter(n), home);
  for (int round = 0; round < 3; ++round) {
    std::vector<long> dealt(static_cast<std::size_t>(n));
    auto take = [&](int) -> task<void> {
      while (const long k = co_await left.fetch_decrement()) ++dealt[static_cast<std::size_t>(k - 1)];
      co_await left.until_zero();
    };
    co_await for_each_in_flight(std::views::iota(0, 3), 3, take);
    expect_equal(co_await left.read(), 0, "what is left");
    const std::vector<std::vector<long>> of_all = co_await all_gather(std::move(dealt));
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      long times_dealt = 0;
      for (const auto& of_one : of_all) times_dealt += of_one[i];
      expect_equal(times_dealt, 1, "how often an index is dealt");
    }
    co_await barrier();
    if (this_pe() == (round % 2 == 0 ? home : 0)) co_await left.write(n);
    co_await barrier();
  }
}

// ---- a barrier of three tasks of each PE

pe_local<long> come;
long count_one() { return ++*come; }
long have_come() { return *come; }

task<void> meetings() {
  constexpr int tasks_each = 3;
  *come = 0;
  const auto members = static_cast<std::uint32_t>(tasks_each * pe_count());
  const named_barrier meeting = co_await broadcast(create_barrier(members), 0);
  auto meet = [&](int) -> task<void> {
    for (long round = 1; round <= 5; ++round) {
      co_await at(0).now<count_one>();
      co_await meeting.arrive_and_wait();
      const long there = co_await at(0).now<have_come>();
      expect(round * members <= there && there < (round + 1) * members, "all have come, and nobody is far ahead");
      co_await meeting.arrive_and_wait();
    }
  };
  co_await for_each_in_flight(std::views::iota(0, tasks_each), tasks_each, meet);
}

task<int> program(arguments args) {
  auto random = seeded(args);
  const std::uint64_t times = option(args, "--times", 200);
  co_await transfers(times, random);
  co_await pairs(times, random);
  co_await deal(times);
  co_await meetings();
  co_return 0;
}

const test::joined_program entry("locks", run_spmd, program);

}  // namespace programs::locks
