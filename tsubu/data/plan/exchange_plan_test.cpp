// Promise: whatever the method, the distribution and who needs what, each execution of a plan gives each PE the values
// that the owners had in that execution, though no barrier parts one from the next; visits hand over each group once.
// Method: random needs, also one-sided ones, over random interleavings of the PEs (interleaved_job); PEs linger between
// executions, so that they run ahead of each other as far as a plan lets them.
#include "tsubu/data/plan/exchange_plan.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/shared_job.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::data_test {
namespace {

// Few enough that other elements come between, and a dozen on the last PE.
pe_id mapped(std::size_t i, std::size_t n) { return static_cast<pe_id>(i * i % n) % pe_count(); }
struct all_on_last {
  pe_id home(std::size_t, std::size_t, pe_id pes) const { return pes - 1; }
};

// Element i in execution `round`.
long value_of(std::size_t i, int round) { return static_cast<long>(i) * 1000 + round; }

task<void> linger() {
  for (std::uint64_t i = dice() % 4; i > 0; --i) co_await yield();
}

// This PE's part of the vector.
template <class D>
std::vector<std::size_t> own_indices(std::size_t n, D spread) {
  std::vector<std::size_t> mine;
  for (std::size_t i = 0; i < n; ++i) {
    if (spread.home(i, n, pe_count()) == this_pe()) mine.push_back(i);
  }
  return mine;
}

std::vector<std::int32_t> random_needs(std::size_t n) {
  std::vector<std::int32_t> needed(n == 0 || dice() % 4 == 0 ? 0 : dice() % 30);
  for (std::int32_t& index : needed) index = static_cast<std::int32_t>(dice() % n);
  return needed;
}

void set_own(std::span<long> own, const std::vector<std::size_t>& indices, int round) {
  for (std::size_t k = 0; k < own.size(); ++k) own[k] = value_of(indices[k], round);
}

// The methods of the executions below, one of them a seed.
plan_options how_now;

template <class D>
task<void> executes(std::size_t n, D spread) {
  const std::vector<std::size_t> mine = own_indices(n, spread);
  const std::vector<std::int32_t> needed = random_needs(n);
  exchange_plan<long> plan = co_await plan_exchange<long>(n, spread, needed, how_now);
  // The elements are the program's, or the plan's.
  std::vector<long> elsewhere(mine.size());
  const std::span<long> own = dice() % 2 == 0 ? std::span<long>(elsewhere) : plan.own();
  for (int round = 1; round <= 6; ++round) {
    set_own(own, mine, round);
    const std::span<const long> view = co_await plan.gather(own);
    co_await linger();
    for (std::size_t k = 0; k < needed.size(); ++k) {
      const auto index = static_cast<std::size_t>(needed[k]);
      EXPECT_EQ(view[static_cast<std::size_t>(plan.slots()[k])], value_of(index, round)) << "element " << index;
    }
  }
}

template <class D>
task<void> visits(std::size_t n, D spread) {
  const std::vector<std::size_t> mine = own_indices(n, spread);
  const std::vector<std::int32_t> needed = random_needs(n);
  std::vector<std::int64_t> bounds{0};  // groups of 0 to 3
  while (bounds.back() < static_cast<std::int64_t>(needed.size())) {
    bounds.push_back(
        std::min(bounds.back() + static_cast<std::int64_t>(dice() % 4), static_cast<std::int64_t>(needed.size())));
  }
  exchange_plan<long> plan = co_await plan_exchange<long>(n, spread, needed, how_now);
  std::vector<long> own(mine.size());
  for (int round = 1; round <= 5; ++round) {
    set_own(own, mine, round);
    std::vector<int> seen(bounds.size() - 1);
    auto groups = [&](std::size_t first, std::size_t last, std::span<const long> view) {
      for (std::size_t g = first; g < last; ++g) {
        ++seen[g];
        for (auto k = static_cast<std::size_t>(bounds[g]); k < static_cast<std::size_t>(bounds[g + 1]); ++k) {
          EXPECT_EQ(view[static_cast<std::size_t>(plan.slots()[k])],
                    value_of(static_cast<std::size_t>(needed[k]), round));
        }
      }
    };
    co_await plan.visit(own, bounds, groups);
    EXPECT_EQ(std::ranges::count(seen, 1), std::ssize(seen));
    co_await linger();

    ++round;
    set_own(own, mine, round);
    std::vector<int> occurred(needed.size());
    auto each = [&](std::size_t k, long value) {
      ++occurred[k];
      EXPECT_EQ(value, value_of(static_cast<std::size_t>(needed[k]), round));
    };
    co_await plan.visit(own, each);
    EXPECT_EQ(std::ranges::count(occurred, 1), std::ssize(occurred));
  }
}

template <task<void> (*Program)(pe_id)>
void under_each_method() {
  for (const plan_method method : plan_methods) {
    for (std::uint64_t seed = 1; seed <= 30 && !testing::Test::HasFailure(); ++seed) {
      SCOPED_TRACE(std::string(name_of(method)));
      how_now = {.method = method, .tasks = 1 + static_cast<int>(seed % 4)};
      for (const pe_id pes : {1, 2, 3, 5}) run_all(pes, seed, Program);
    }
  }
}

task<void> execute_all(pe_id) {
  co_await executes(40, by_block());
  co_await executes(41, by_cycle());
  co_await executes(37, by_map<mapped>());
  co_await executes(12, all_on_last());
  co_await executes(2, by_block());
  co_await executes(0, by_block());
}
TEST(exchange_plan, gives_the_values_of_each_execution) { under_each_method<execute_all>(); }

task<void> visit_all(pe_id) {
  co_await visits(40, by_block());
  co_await visits(23, by_map<mapped>());
}
TEST(exchange_plan, visits_each_group_once) { under_each_method<visit_all>(); }

// Long enough for bulks, and for blocks that are not gathered: all of all, or of 2 of 10, which land beside the view.
task<void> execute_long(pe_id) {
  constexpr std::size_t n = 9000;
  const std::vector<std::size_t> mine = own_indices(n, by_block());
  std::vector<std::int64_t> needed;
  const std::size_t below = dice() % 2 == 0 ? 10 : 2;
  for (std::size_t i = 0; i < n; ++i) {
    if (i / 300 % 10 < below) needed.push_back(static_cast<std::int64_t>(i));
  }
  exchange_plan<long> plan = co_await plan_exchange<long>(n, by_block(), needed, how_now);
  EXPECT_LE(plan.own().size() + plan.others(), n);
  for (int round = 1; round <= 4; ++round) {
    set_own(plan.own(), mine, round);
    const std::span<const long> view = co_await plan.gather(plan.own());
    co_await linger();
    bool right = true;
    for (std::size_t k = 0; k < needed.size(); ++k)
      right = right &&
              view[static_cast<std::size_t>(plan.slots()[k])] == value_of(static_cast<std::size_t>(needed[k]), round);
    EXPECT_TRUE(right);
  }
}
TEST(exchange_plan, of_long_blocks) {
  for (const plan_method method : {plan_method::block, plan_method::update, plan_method::packed}) {
    SCOPED_TRACE(std::string(name_of(method)));
    how_now = {.method = method};
    for (std::uint64_t seed = 1; seed <= 10; ++seed) run_all(3, seed, execute_long);
  }
}

// Two plans at a time, of which one is destroyed while the other goes on; and names of methods.
task<void> execute_two(pe_id) {
  const std::vector<std::int32_t> needed{0, 5, 9};
  exchange_plan<long> stays = co_await plan_exchange<long>(10, by_block(), needed, how_now);
  const std::vector<std::size_t> mine = own_indices(10, by_block());
  std::vector<long> own(mine.size());
  for (int round = 1; round <= 4; ++round) {
    exchange_plan<double> goes = co_await plan_exchange<double>(10, by_cycle(), needed, how_now);
    const std::vector<double> cycle(goes.own().size(), round);
    EXPECT_EQ((co_await goes.gather(cycle))[static_cast<std::size_t>(goes.slots()[1])], round);
    set_own(own, mine, round);
    const std::span<const long> view = co_await stays.gather(own);
    EXPECT_EQ(view[static_cast<std::size_t>(stays.slots()[2])], value_of(9, round));
  }
}
TEST(exchange_plan, one_goes_while_another_stays) { under_each_method<execute_two>(); }

TEST(exchange_plan, methods_have_names) {
  for (const plan_method method : plan_methods) EXPECT_EQ(plan_method_named(name_of(method)), method);
  EXPECT_FALSE(plan_method_named("tree").has_value());
}

task<void> needs_too_much(pe_id) {
  const std::vector<std::int32_t> needed{10};
  co_await plan_exchange<long>(10, by_block(), needed);
}
task<void> gives_too_little(pe_id) {
  const std::vector<std::int32_t> needed{3};
  exchange_plan<long> plan = co_await plan_exchange<long>(10, by_block(), needed);
  const std::vector<long> nothing;
  co_await plan.gather(nothing);
}
TEST(exchange_plan_death, tells_what_is_wrong) {
  EXPECT_DEATH(run_all(2, 1, needs_too_much), "element 10 is needed of a spread vector, which has 10");
  EXPECT_DEATH(run_all(2, 1, gives_too_little), "executed with 0 elements of this PE, which has 5");
}

}  // namespace
}  // namespace tsubu::data_test
