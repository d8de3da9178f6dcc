// Moves money between the accounts of a bank: each account is an object, and they are spread over the PEs.
//
// The teller asks an account to transfer money to another one. That takes it from its balance, and asks the other to
// deposit it; the teller has its answer when the money is there. Two accounts may ask each other at the same time, so a
// deposit is taken also while an account waits for its own transfer to end.
#include <tsubu/tsubu.hpp>

#include <cstdint>
#include <cstdio>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>

#include "examples/gallery/problem/splitmix64.hpp"

using namespace tsubu;

constexpr std::size_t accounts = 1000;
constexpr long at_first = 10'000;

struct transaction {
  std::size_t from, to;
  long amount;
};

transaction transaction_at(std::uint64_t index) {
  const std::uint64_t x = splitmix64(index);
  const std::size_t from = x % accounts, distance = 1 + (x >> 16) % (accounts - 1);
  return {from, (from + distance) % accounts, static_cast<long>(1 + (x >> 32) % 100)};
}

struct account : object<account> {
  long money = at_first;
  void deposit(long amount) { money += amount; }
  task<void> transfer(long amount, ref<account> to) {
    money -= amount;
    co_await to.now<&account::deposit>(amount);
  }
  long balance() { return money; }
};
template <>
inline constexpr bool tsubu::reentrant<&account::deposit> = true;

struct teller : object<teller> {
  object_array<account, by_cycle> bank;
  explicit teller(object_array<account, by_cycle> all) : bank(all) {}
  task<long> work_off(std::uint64_t transactions) {
    long done = 0;
    co_await for_each_in_flight(std::views::iota(std::uint64_t{0}, transactions), 1000,
                                [&](std::uint64_t i) -> task<void> {
                                  const transaction t = transaction_at(i);
                                  co_await bank[t.from].now<&account::transfer>(t.amount, bank[t.to]);
                                  ++done;
                                });
    co_return done;
  }
};

std::vector<long> balances_after(std::uint64_t transactions) {
  std::vector<long> balances(accounts, at_first);
  for (std::uint64_t i = 0; i < transactions; ++i) {
    const transaction t = transaction_at(i);
    balances[t.from] -= t.amount;
    balances[t.to] += t.amount;
  }
  return balances;
}

task<int> program(arguments args) {
  const auto transactions = args.number<std::uint64_t>(1, 50'000);
  const auto bank = create_array<account>(accounts, by_cycle());
  const long before = co_await bank.now<&account::balance>(reduce::plus);
  const ref<teller> clerk = create<teller>(anywhere(), bank);
  const long done = co_await clerk.now<&teller::work_off>(transactions);
  const std::vector<long> balances = co_await bank.now<&account::balance>();
  const long after = std::accumulate(balances.begin(), balances.end(), 0L);
  std::printf("%ld transfers between %zu accounts: %ld before, %ld after\n", done, accounts, before, after);
  if (before == after && balances == balances_after(transactions)) co_return 0;
  std::printf("This is not what a bank with one clerk and one account book says.\n");
  co_return 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
