// Rows U9 to U12 of the EULASH paper, and U2.data, what accesses take: a mobile datum moves at the first foreign access
// and is never copied; the copies of write-update are equal; write-invalidate has one writer or many readers; data side
// by side are managed apart. Method: tasks on all PEs read, write and change data at random, and before and after each
// access all PEs' copies are looked at. What was done to each datum is recorded by one clock, and an order looked for
// that explains it. Prints "SEEN what number"; tests/papers judges. Off the simulator each PE looks at its own copies
// only, and nothing is recorded.
#include <cstdio>
#include <string>

#include "tests/acceptance/watch.hpp"
#include "tests/linearizability.hpp"
#include "tsubu/base/random.hpp"
#include "tsubu/eulash.hpp"

using namespace tsubu;

namespace {

long add_and_get(long& value, long by) { return value += by; }

acceptance::watch all_pes;

// Collective: the sum over all PEs.
task<long> print(const char* what, long here) {
  const long all = co_await all_reduce(here, reduce::plus);
  if (this_pe() == 0) std::printf("SEEN %s %ld\n", what, all);
  co_return all;
}

// ---- what was done, of all PEs, where these share a thread

constexpr std::size_t data_watched = 40, most_recorded = 60;
std::array<test::history_of_accesses, data_watched> histories;
std::int64_t clock_now = 0;
long last_written = 0;

bool records() { return simulated != nullptr; }

using enum test::recorded_access::kind;
template <class Managed>
task<void> access(Managed datum, std::size_t which, std::uint64_t choice) {
  test::history_of_accesses& history = histories[which];
  const auto what = choice % 8 < 4 ? read : choice % 8 < 6 ? write : add;
  const long argument = what == write && records() ? last_written += 1000 : static_cast<long>(choice / 8 % 5);
  const std::size_t at = history.size();
  if (records()) {
    if (at == most_recorded) co_return;
    history.push_back({what, argument, 0, this_pe(), ++clock_now});
  }
  long result = 0;
  if (what == read) {
    result = co_await datum.read();
  } else if (what == write) {
    co_await datum.write(argument);
  } else {
    result = co_await datum.template change<add_and_get>(argument);
  }
  if (records()) {
    history[at].result = result;
    history[at].returned = ++clock_now;
  }
}

// ---- what was seen

struct sightings {
  long looks = 0, one_writer = 0, many_readers = 0, both = 0, unequal = 0;

  void look(const shared<long>& x) {
    const acceptance::watch::users now = all_pes.users_of(x);
    ++looks;
    if (now.writers == 1 && now.readers == 1) ++one_writer;
    if (now.readers > 1 && now.writers == 0) ++many_readers;
    if (now.writers > 1 || (now.writers == 1 && now.readers > 1)) ++both;
    if (now.values.size() > 1) ++unequal;
  }
};

template <class Managed>
task<void> use_at_random(const std::vector<Managed>& all, random_source random, sightings& seen) {
  for (int i = 0; i < 25; ++i) {
    const std::size_t which = random.below(all.size());
    seen.look(all[which].variable());
    co_await access(all[which], which, random());
    seen.look(all[which].variable());
    if (random.below(4) == 0) co_await yield();
  }
}

// Every process makes some of them.
template <class Managed>
task<std::vector<Managed>> make_data() {
  std::vector<Managed> all(data_watched);
  for (std::size_t i = 0; i < data_watched; ++i) {
    const auto home = static_cast<pe_id>(i % static_cast<std::size_t>(pe_count()));
    if (home == this_pe()) all[i] = Managed(0);
    all[i] = co_await broadcast(all[i], home);
  }
  co_return all;
}

template <class Managed>
task<void> watch_accesses() {
  const auto all = co_await make_data<Managed>();
  sightings seen;
  const auto seed = static_cast<std::uint64_t>(this_pe()) * 10;
  co_await when_all(use_at_random(all, random_source(seed + 1), seen),
                    use_at_random(all, random_source(seed + 2), seen),
                    use_at_random(all, random_source(seed + 3), seen));
  co_await barrier();
  co_await print("looks", seen.looks);
  co_await print("one_writer", seen.one_writer);
  co_await print("many_readers", seen.many_readers);
  co_await print("both", seen.both);
  co_await print("unequal", seen.unequal);
  long unexplained = 0, recorded = 0;
  if (this_pe() == 0) {
    for (const auto& history : histories) {
      recorded += static_cast<long>(history.size());
      if (!test::linearizable(history, 0)) ++unexplained;
    }
  }
  co_await print("recorded", recorded);
  co_await print("unexplained", unexplained);
}

// ---- U9

pe_local<long> copies_seen;

// Accesses by every process; each looks for copies, anywhere.
template <class Managed>
task<void> use_thrice(Managed datum) {
  for (int i = 0; i < 3; ++i) {
    *copies_seen += static_cast<long>(all_pes.copies());
    (void)co_await datum.read();
    *copies_seen += static_cast<long>(all_pes.copies());
    co_await datum.template change<add_and_get>(1L);
    *copies_seen += static_cast<long>(all_pes.copies());
    (void)co_await datum.read();
  }
}

template <class Managed>
task<void> used_by_all(Managed datum) {
  for (pe_id process = 1; process < pe_count(); ++process) {
    co_await eulash::fork_process<use_thrice<Managed>>(process, datum);
  }
}

enum class first_access { read, write, change };

task<void> access_once(eulash::mobile<long> datum, first_access how) {
  if (how == first_access::read) (void)co_await datum.read();
  if (how == first_access::write) co_await datum.write(9);
  if (how == first_access::change) co_await datum.change<add_and_get>(1L);
}

task<void> watch_mobile() {
  long own = 0, foreign = 0, after = 0, value = 0;
  for (const auto how : {first_access::read, first_access::write, first_access::change}) {
    if (this_pe() != 0) continue;
    eulash::mobile<long> datum(0);
    co_await use_thrice(datum);
    own += co_await datum.is_in_shared_memory() ? 1 : 0;
    co_await eulash::fork_process<access_once>(1, datum, how);
    foreign += co_await datum.is_in_shared_memory() ? 1 : 0;
    co_await use_thrice(datum);
    after += co_await datum.is_in_shared_memory() ? 1 : 0;
    co_await used_by_all(datum);
    value += co_await datum.read();
  }
  co_await barrier();
  co_await print("shared_after_own", own);
  co_await print("shared_after_foreign", foreign);
  co_await print("shared_after_own_again", after);
  co_await print("value", value);
  co_await print("copies_of_mobile", *copies_seen);
  *copies_seen = 0;
  co_await barrier();
  if (this_pe() == 0) {
    eulash::w_update<long> datum(0);
    co_await used_by_all(datum);
  }
  co_await barrier();
  co_await print("copies_of_w_update", *copies_seen);
}

// ---- U12

// Messages that two processes send while they write at a time, a hundred times each, what they have written before.
task<long> messages_of_two_writers(eulash::w_invalid<long> mine, bool writes) {
  if (writes) co_await mine.write(-1);
  co_await barrier();
  const std::uint64_t before = remote::current_pe->messages.sent();
  for (long i = 0; writes && i < 100; ++i) {
    co_await mine.write(i);
    co_await yield();
  }
  const auto here = static_cast<long>(remote::current_pe->messages.sent() - before);
  co_await barrier();
  co_return here;
}

task<void> watch_neighbours() {
  std::array<eulash::w_invalid<long>, 2> both;
  if (this_pe() == 0) both = {eulash::w_invalid<long>(0), eulash::w_invalid<long>(0)};
  both = co_await broadcast(both);
  const pe_id last = pe_count() - 1;
  const bool writes = this_pe() == last || this_pe() == last - 1;
  co_await print("messages_of_neighbours", co_await messages_of_two_writers(both[this_pe() == last ? 1 : 0], writes));
  co_await print("messages_of_one_datum", co_await messages_of_two_writers(both[0], writes));
  long kept = 0;
  if (this_pe() == 0) kept = co_await both[1].read();
  co_await print("last_written", kept);
}

// ---- U2.data

// Nanoseconds of a read, or a write, on average, after the first.
template <class Datum>
task<void> time_accesses(const char* type, Datum datum) {
  (void)co_await datum.read();
  const std::int64_t begin = now_ns();
  for (int i = 0; i < 100; ++i) (void)co_await datum.read();
  const std::int64_t middle = now_ns();
  co_await datum.write(1);
  const std::int64_t first = now_ns();
  for (int i = 0; i < 100; ++i) co_await datum.write(i);
  std::printf("SEEN %s_read %lld\nSEEN %s_write %lld\n", type, static_cast<long long>(middle - begin) / 100, type,
              static_cast<long long>(now_ns() - first) / 100);
}

// By process 1, alone, of data that process 0 has made; and of a mobile one that it has to itself.
task<void> time_all(eulash::shared<long> a, eulash::mobile<long> b, eulash::w_update<long> c,
                    eulash::w_invalid<long> d) {
  co_await time_accesses("shared", a);
  co_await time_accesses("mobile", b);
  co_await time_accesses("own_mobile", eulash::mobile<long>(0));
  co_await time_accesses("w_update", c);
  co_await time_accesses("w_invalid", d);
}

task<void> watch_costs() {
  if (this_pe() != 0) co_return;
  const eulash::shared<long> a(0);
  const eulash::mobile<long> b(0);
  const eulash::w_update<long> c(0);
  const eulash::w_invalid<long> d(0);
  co_await eulash::fork_process<time_all>(1, a, b, c, d);
}

task<int> program(arguments args) {
  all_pes.join();
  co_await barrier();
  const std::string what = args.size() > 1 ? args[1] : "mobile";
  if (what == "mobile") co_await watch_mobile();
  if (what == "update") co_await watch_accesses<eulash::w_update<long>>();
  if (what == "invalidate") co_await watch_accesses<eulash::w_invalid<long>>();
  if (what == "neighbours") co_await watch_neighbours();
  if (what == "costs") co_await watch_costs();
  co_await barrier();
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
