// Executing the methods that are worth it, in turns, and choosing the one that took the least time.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tsubu/base/clock.hpp"
#include "tsubu/data/plan/choice.hpp"
#include "tsubu/data/plan/make_exchange.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu::data {

// The time of one of so many executions, on the PE that took longest. Collective.
template <class T>
task<double> time_executions(exchange<T>* by, int times) {
  co_await barrier();
  const std::int64_t begin_ns = now_ns();
  for (int i = 0; i < times; ++i) co_await by->gather(by->own());
  const double mine_s = static_cast<double>(now_ns() - begin_ns) * 1e-9 / times;
  co_return co_await all_reduce(mine_s, reduce::max);
}

// Tries what the choice says is worth it, tells it the times, and returns the exchange of the best. Collective.
template <class T>
task<std::unique_ptr<exchange<T>>> try_and_choose(std::shared_ptr<const exchange_pattern> pattern, plan_choice* choice,
                                                  int tasks) {
  // A simulated machine does not change its pace: there a turn is enough, of several executions if they are so short
  // that it matters when the PEs left the barrier. Of others the lower quartile of some turns is taken, in which the
  // methods alternate, since a computer changes its pace, and mostly for the worse.
  const bool is_simulated = simulated != nullptr;
  const int turns = is_simulated ? 1 : 7;
  const double turn_s = is_simulated ? 40e-6 : 200e-6;
  const int most_times = is_simulated ? 16 : 100;

  struct tried {
    plan_method method;
    std::unique_ptr<exchange<T>> by;
    int times = 1;
    std::vector<double> seconds;
  };
  std::vector<tried> all;
  for (const plan_method method : choice->worth_a_trial()) {
    tried& one = all.emplace_back();
    one.method = method;
    one.by = co_await make_exchange<T>(pattern, method, tasks);
    co_await one.by->gather(one.by->own());  // opens what is opened once
    const double first_s = co_await time_executions<T>(one.by.get(), 1);
    one.times = std::clamp(static_cast<int>(turn_s / std::max(first_s, 1e-9)), 1, most_times);
  }
  for (int turn = 0; turn < turns; ++turn) {
    for (tried& one : all) {
      const double seconds = co_await time_executions<T>(one.by.get(), one.times);
      one.seconds.push_back(seconds);
    }
  }
  for (tried& one : all) {
    std::ranges::nth_element(one.seconds, one.seconds.begin() + turns / 4);
    choice->set_measured(one.method, one.seconds[static_cast<std::size_t>(turns / 4)]);
  }
  co_return std::move(std::ranges::find(all, choice->best(), &tried::method)->by);
}

}  // namespace tsubu::data
