// Promise: who awaits past messages is held back while objects of the receiver are behind with theirs, so a flood takes
// no more memory than a bank; and is never held back for ever, whatever the objects wait for.
// Modes: --messages N are told, awaited, from each PE to objects of PE 0 or of all PEs
//   self      that are behind by one message for good, since each once told itself something
//   yields    whose method gives way once
//   bank      accounts that pay each other, and themselves; most payments find money
//   gate      which takes none of them before it has accepted another message, that is sent behind them
//   spins     while a task of the receiver gives way, until a message that is sent behind them
#include <fstream>

#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

class counter : public object<counter> {
 public:
  void begin() { self().past<&counter::add>(0); }
  void add(std::uint64_t n) { sum_ += n; }
  task<void> add_slowly(std::uint64_t n) {
    sum_ += n;
    co_await yield();
  }
  std::uint64_t sum() { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

class gate : public object<gate> {
 public:
  void work(std::uint64_t n) { sum_ += n; }
  void open() {}
  task<std::uint64_t> wait_for_the_opening() {
    co_await accept<&gate::open>();
    co_return sum_;
  }
  std::uint64_t sum() { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

class account : public object<account> {
 public:
  static constexpr std::int64_t begins_with = 10'000;
  void pay(ref<account> to, std::int64_t amount) {
    if (amount > balance_) {
      ++refused_;
      return;
    }
    balance_ -= amount;
    to.past<&account::receive>(amount);
  }
  void receive(std::int64_t amount) { balance_ += amount; }
  std::int64_t balance() { return balance_; }
  std::uint64_t refused() { return refused_; }

 private:
  std::int64_t balance_ = begins_with;
  std::uint64_t refused_ = 0;
};

pe_local<bool> told_to_end;
void end_spinning() { *told_to_end = true; }

task<void> spin() {
  while (!*told_to_end) co_await yield();
}

// "VmRSS" or "VmHWM", in bytes.
std::uint64_t memory(const std::string& what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(what + ":")) return std::strtoull(line.c_str() + what.size() + 1, nullptr, 10) << 10;
  }
  fail("/proc/self/status has no " + what);
}

task<void> tell_counter(std::uint64_t n, bool slowly) {
  ref<counter> to;
  if (this_pe() == 0) {
    to = create<counter>(here());
    co_await to.now<&counter::begin>();
  }
  to = co_await broadcast(to);
  for (std::uint64_t i = 0; i < n; ++i) {
    if (slowly) {
      co_await to.past<&counter::add_slowly>(1);
    } else {
      co_await to.past<&counter::add>(1);
    }
  }
  co_await quiescence();
  if (this_pe() != 0) co_return;
  const std::uint64_t sum = co_await to.now<&counter::sum>();
  expect_equal(sum, n * static_cast<std::uint64_t>(pe_count()), "messages that were executed");
}

task<void> tell_bank(std::uint64_t n, std::mt19937_64 random) {
  constexpr std::size_t accounts = 1000;
  std::vector<ref<account>> own;
  for (std::size_t i = 0; i < accounts; ++i) own.push_back(create<account>(here()));
  std::vector<std::vector<ref<account>>> all;
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    std::vector<ref<account>> of = co_await broadcast(own, pe);
    all.push_back(std::move(of));
  }
  const auto any = [&]() -> ref<account>& { return all[below(random, all.size())][below(random, accounts)]; };
  for (std::uint64_t i = 0; i < n; ++i) {
    ref<account>& from = any();
    ref<account>& to = i == 0 ? from : any();
    co_await from.past<&account::pay>(to, static_cast<std::int64_t>(below(random, 100)));
  }
  co_await quiescence();
  std::int64_t money = 0;
  std::uint64_t refused = 0;
  for (ref<account>& a : own) {
    money += co_await a.now<&account::balance>();
    refused += co_await a.now<&account::refused>();
  }
  money = co_await all_reduce(money, reduce::plus);
  refused = co_await all_reduce(refused, reduce::plus);
  const auto pes = static_cast<std::uint64_t>(pe_count());
  expect_equal(money, account::begins_with * static_cast<std::int64_t>(accounts * pes), "the money of the bank");
  if (this_pe() == 0) std::printf("%llu payments refused\n", static_cast<unsigned long long>(refused));
  expect(refused <= n * pes / 100, "hardly a payment is refused, and " + std::to_string(refused) + " were");
}

task<void> tell_gate(std::uint64_t n, bool spins) {
  ref<gate> to;
  future<std::uint64_t> opened;
  if (this_pe() == 0) {
    to = create<gate>(here());
    opened = to.future<&gate::wait_for_the_opening>();
    if (spins) spawn(spin());
  }
  to = co_await broadcast(to);
  for (std::uint64_t i = 0; i < n; ++i) co_await to.past<&gate::work>(1);
  co_await barrier();
  if (this_pe() == pe_count() - 1) {
    co_await at(0).past<end_spinning>();
    co_await to.past<&gate::open>();
  }
  if (this_pe() == 0) {
    const std::uint64_t before = co_await std::move(opened);
    expect_equal(before, 0, "messages that passed before the gate was open");
  }
  co_await quiescence();
  if (this_pe() != 0) co_return;
  const std::uint64_t sum = co_await to.now<&gate::sum>();
  expect_equal(sum, n * static_cast<std::uint64_t>(pe_count()), "messages that were executed");
}

task<int> program(arguments args) {
  const std::string mode = args[1];
  const std::uint64_t n = option(args, "--messages", 1'000'000);
  const std::uint64_t before = memory("VmRSS");
  std::mt19937_64 random = seeded(args);
  co_await barrier();
  if (mode == "self" || mode == "yields") {
    co_await tell_counter(n, mode == "yields");
  } else if (mode == "bank") {
    co_await tell_bank(n, random);
  } else if (mode == "gate" || mode == "spins") {
    co_await tell_gate(n, mode == "spins");
    co_return 0;  // what waits at a gate has to be somewhere
  } else {
    fail("a mode is self, yields, bank, gate or spins, not " + mode);
  }
  const bool threads = transport_name() == std::string("threads");
  const std::uint64_t peak = memory("VmHWM") - before;
  if (this_pe() == 0) std::printf("%s: peak %.1f MiB\n", mode.c_str(), static_cast<double>(peak) / 1048576);
  const std::uint64_t most = (std::uint64_t{24} << 20) * (threads ? static_cast<std::uint64_t>(pe_count()) : 1);
  expect(peak <= most, "peak memory of at most " + std::to_string(most) + " bytes, and it was " + std::to_string(peak));
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
