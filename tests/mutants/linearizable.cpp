// Promise: each shared variable is linearizable for read, write and change, under every protocol and while that
// changes. Method: a few tasks on each PE access two variables at random, and tell each other when they have; what they
// did, and when, is recorded by one clock, since simulated PEs share a thread, and an order looked for that explains
// it.
#include <array>
#include <source_location>

#include "tests/linearizability.hpp"
#include "tests/mutants/programs.hpp"
#include "tsubu/base/random.hpp"

using namespace tsubu;

namespace {

using test::recorded_access;

constexpr std::size_t variables = 2;
constexpr std::size_t most = 40;  // accesses to a variable

struct watched_variable {
  shared<long> x;
  test::history_of_accesses history;
};
std::array<watched_variable, variables> watched;  // of the schedule that runs
std::int64_t clock_now = 0;
long written = 0;

long add_and_get(long& value, long by) { return value += by; }

// Returns the place of the access in the history, or none if that is full.
task<void> access(std::size_t which, std::uint64_t choice) {
  watched_variable& v = watched[which];
  if (v.history.size() >= most) co_return;
  const std::size_t at = v.history.size();
  const std::int64_t called = ++clock_now;
  using enum recorded_access::kind;
  const auto record = [&](recorded_access::kind what, long argument) {
    v.history.push_back({what, argument, 0, this_pe(), called});
  };
  if (choice % 8 < 4) {
    record(read, 0);
    const long value = co_await v.x.read();
    v.history[at].result = value;
  } else if (choice % 8 < 5) {
    record(write, written += 1000);
    co_await v.x.write(v.history[at].argument);
  } else {
    record(add, 1 + static_cast<long>(choice / 8 % 5));
    const long value = co_await v.x.change<add_and_get>(v.history[at].argument);
    v.history[at].result = value;
  }
  v.history[at].returned = ++clock_now;
}

// Somebody else has done something, and this PE hears of it: it must find that done.
task<void> told(std::size_t which, std::uint64_t choice) { co_await access(which, choice % 4 == 0 ? 7 : 0); }

task<void> accesses(random_source random) {
  for (int i = 0; i < 5; ++i) {
    const std::size_t which = random.below(variables);
    const std::uint64_t choice = random();
    if (choice % 32 == 0) {
      co_await watched[which].x.set_protocol(protocol{static_cast<std::uint8_t>(random.below(protocols))});
    } else {
      co_await access(which, choice / 32);
    }
    if (random.below(2) == 0) {
      at(static_cast<pe_id>(random.below(static_cast<std::uint64_t>(pe_count())))).past<told>(which, random());
    }
    if (random.below(4) == 0) co_await yield();
  }
}

}  // namespace

task<int> variables_are_linearizable() {
  if (this_pe() == 0) {
    clock_now = written = 0;
    for (watched_variable& v : watched) v.history.clear();
  }
  co_await barrier();
  // The course of a schedule is its own: so is what the time is.
  const auto seed = co_await broadcast(static_cast<std::uint64_t>(now_ns()));
  random_source random(seed * 31 + static_cast<std::uint64_t>(this_pe()));
  const auto how = protocol{static_cast<std::uint8_t>(seed % protocols)};
  if (this_pe() == 0) watched[0].x = create_shared(how, 0L);
  if (this_pe() == pe_count() - 1) watched[1].x = create_shared(how, 0L);
  co_await barrier();
  co_await when_all(accesses(random_source(random())), accesses(random_source(random())));
  co_await quiescence();
  if (this_pe() == 0) {
    for (const watched_variable& v : watched) {
      if (!test::linearizable(v.history, 0)) {
        fail("no order explains what was done to a variable that began under " + std::string(name_of(how)) + ":\n" +
             test::described(v.history));
      }
    }
  }
  co_return 0;
}
