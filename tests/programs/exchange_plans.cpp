// Promise: under each method a plan gives each PE, in each execution, the values that the owners had in it, on every
// transport: elements of 8 and of 40 bytes, few enough to be gathered and enough for bulks, needed by all or
// one-sidedly. Method: random needs; the values follow from index and execution, and no barrier parts executions.
// --seed N.
#include <numeric>
#include <vector>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::exchange_plans {

struct wide {
  long key = 0;
  std::array<long, 4> more{};
};
void set(long& to, long value) { to = value; }
void set(wide& to, long value) { to = {value, {value + 1, value + 2, value + 3, value + 4}}; }
bool is(long of, long value) { return of == value; }
bool is(const wide& of, long value) {
  return of.key == value && of.more.front() == value + 1 && of.more.back() == value + 4;
}

long value_of(std::size_t i, int round) { return static_cast<long>(i) * 64 + round; }

// Who needs what of n elements: some of all; or of the first PE only, which needs nothing itself.
std::vector<std::int32_t> needs(std::size_t n, std::size_t count, bool one_sided, std::mt19937_64& bits) {
  std::vector<std::int32_t> needed(one_sided && this_pe() == 0 ? 0 : count);
  const std::size_t among = one_sided ? std::max<std::size_t>(part_of(n, 0).size(), 1) : n;
  for (std::int32_t& index : needed) index = static_cast<std::int32_t>(bits() % among);
  return needed;
}

template <class T, class D>
task<void> execute(std::size_t n, D spread, std::vector<std::int32_t> needed, plan_options how) {
  std::vector<std::size_t> mine;
  spread.for_each_on(this_pe(), n, pe_count(), [&](std::size_t i) { mine.push_back(i); });
  exchange_plan<T> plan = co_await plan_exchange<T>(n, spread, needed, how);
  std::vector<T> elsewhere(plan.own().size());
  const std::span<T> own = how.tasks % 2 == 0 ? std::span<T>(elsewhere) : plan.own();
  for (int round = 1; round <= 5; ++round) {
    for (std::size_t k = 0; k < own.size(); ++k) set(own[k], value_of(mine[k], round));
    bool right = true;
    if (round % 2 == 0) {
      const std::span<const T> view = co_await plan.gather(own);
      for (std::size_t k = 0; k < needed.size(); ++k)
        right = right && is(view[static_cast<std::size_t>(plan.slots()[k])],
                            value_of(static_cast<std::size_t>(needed[k]), round));
    } else {
      std::size_t seen = 0;
      auto look = [&](std::size_t k, const T& value) {
        ++seen;
        right = right && is(value, value_of(static_cast<std::size_t>(needed[k]), round));
      };
      co_await plan.visit(own, look);
      expect(seen == needed.size(), "a visit of each occurrence");
    }
    expect(right, "the values of this execution");
  }
}

task<int> program(arguments args) {
  std::mt19937_64 bits = seeded(args);
  for (const plan_method method : plan_methods) {
    for (const bool one_sided : {false, true}) {
      const plan_options how{.method = method, .tasks = one_sided ? 3 : 4};
      std::vector<std::int32_t> few = needs(50, 40, one_sided, bits), many = needs(6000, 1500, one_sided, bits);
      co_await execute<long>(50, by_block(), few, how);
      co_await execute<long>(50, by_cycle(), few, how);
      co_await execute<wide>(6000, by_block(), many, how);
      co_await execute<long>(6000, by_cycle(), many, how);
    }
    // All of everything, in runs.
    std::vector<std::int32_t> all(3000);
    std::iota(all.begin(), all.end(), 0);
    co_await execute<wide>(all.size(), by_block(), all, {.method = method, .tasks = 3});
  }
  co_return 0;
}

const test::joined_program entry("exchange_plans", run_spmd, program);

}  // namespace programs::exchange_plans
