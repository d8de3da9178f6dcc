// What an exchange plan that chooses by itself takes, beside the best of the methods: for matrices of many shapes.
//
// Each method of each matrix executes in turns, so that all see the same machine. One that takes far longer than the
// best is measured only once: it is no candidate. The regret of a choice is by how much the chosen method took longer
// than the best one in these turns. A line for each matrix, and one for all.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "bench/ours/job.hpp"
#include "bench/sparse_patterns.hpp"

namespace {

using namespace tsubu;

double value_of(std::int64_t index, int round) { return static_cast<double>(index) + 0.5 * round; }

// One method, executed now and then.
class measured_plan {
 public:
  static task<std::unique_ptr<measured_plan>> make(const bench::sparse_pattern* of, std::vector<std::int32_t> needed,
                                                   plan_method method) {
    std::unique_ptr<measured_plan> made(new measured_plan());
    made->plan_ = co_await plan_exchange<double>(of->n, by_block(), needed, {.method = method});
    made->needed_ = std::move(needed);
    made->first_ = part_of(of->n).from();
    co_return made;
  }
  plan_method method() const { return plan_.method(); }

  // Microseconds of one of so many executions, on the PE that took longest.
  task<double> execute(int times) {
    co_await barrier();
    const bench::stopwatch watch;
    for (int i = 0; i < times; ++i) co_await plan_.gather(plan_.own());
    const double here = watch.seconds() * 1e6 / times;
    co_return co_await all_reduce(here, reduce::max);
  }
  // Whether an execution gives what the owners have.
  task<bool> verifies(int round) {
    const std::span<double> own = plan_.own();
    for (std::size_t k = 0; k < own.size(); ++k) own[k] = value_of(static_cast<std::int64_t>(first_ + k), round);
    const std::span<const double> view = co_await plan_.gather(own);
    bool right = true;
    for (std::size_t k = 0; k < needed_.size(); ++k)
      right = right && view[static_cast<std::size_t>(plan_.slots()[k])] == value_of(needed_[k], round);
    co_return co_await all_reduce(right, reduce::all);
  }

 private:
  measured_plan() = default;
  exchange_plan<double> plan_;
  std::vector<std::int32_t> needed_;
  std::size_t first_ = 0;
};

struct outcome {
  plan_method chosen = plan_method::packed, best = plan_method::packed;
  double chosen_us = 0, best_us = 0;
  bool verified = true;
  double regret() const { return best_us == 0 ? 0 : chosen_us / best_us - 1; }
};

task<outcome> measure(const bench::sparse_pattern* of, int turns) {
  constexpr double hopeless = 5;
  // A simulated machine does not change its pace; of short executions it matters there when the PEs left the barrier.
  const bool is_simulated = simulated != nullptr;
  const double turn_us = is_simulated ? 80 : 500;
  const int most_times = is_simulated ? 32 : 200;
  std::vector<std::int32_t> needed;
  for (const std::size_t row : part_of(of->n)) of->add_row(row, needed);

  outcome found;
  found.chosen = (co_await measured_plan::make(of, needed, plan_method::automatic))->method();
  std::vector<std::unique_ptr<measured_plan>> plans;
  std::vector<std::vector<double>> seen;
  double least = std::numeric_limits<double>::infinity();
  for (const plan_method method : plan_methods) {
    plans.push_back(co_await measured_plan::make(of, needed, method));
    const bool right = co_await plans.back()->verifies(static_cast<int>(plans.size()));
    found.verified = found.verified && right;
    const double once = co_await plans.back()->execute(1);
    seen.push_back({once});
    least = std::min(least, once);
  }
  std::vector<std::size_t> candidates;
  std::vector<int> times(plans.size(), 1);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (seen[i].front() > hopeless * least && plans[i]->method() != found.chosen) continue;
    candidates.push_back(i);
    times[i] = std::clamp(static_cast<int>(turn_us / std::max(seen[i].front(), 1e-3)), 1, most_times);
    seen[i].clear();
  }
  for (int turn = 0; turn < turns; ++turn) {
    for (const std::size_t i : candidates) {
      const double us = co_await plans[i]->execute(times[i]);
      seen[i].push_back(us);
    }
  }
  found.best_us = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const double us = bench::summarize(seen[i]).median;
    if (us < found.best_us) found.best = plans[i]->method(), found.best_us = us;
    if (plans[i]->method() == found.chosen) found.chosen_us = us;
  }
  co_return found;
}

task<int> program(arguments args) {
  std::int64_t turns = 15;
  std::string only;
  if (const auto code = bench::read_options(args, "the regret of exchange plans that choose their method",
                                            {{"--only", &only, "matrices whose names begin so; default: all"},
                                             {"--turns", &turns, "of each method, whose median counts"}}))
    co_return *code;
  if (simulated != nullptr) turns = 1;

  std::vector<double> ratios;
  bool verified = true;
  int within = 0;
  for (const bench::sparse_pattern& one : bench::sparse_patterns()) {
    if (!one.name.starts_with(only)) continue;
    const outcome found = co_await measure(&one, static_cast<int>(turns));
    ratios.push_back(1 + found.regret());
    within += found.regret() <= 0.05 ? 1 : 0;
    verified = verified && found.verified;
    if (this_pe() != 0) continue;
    bench::result_line("plan")
        .add("matrix", one.name)
        .add("pes", pe_count())
        .add("transport", transport_name())
        .add("chosen", name_of(found.chosen))
        .add("chosen_us", found.chosen_us)
        .add("best", name_of(found.best))
        .add("best_us", found.best_us)
        .add("regret", found.regret())
        .add("verified", found.verified)
        .print();
  }
  double sum = 0;
  for (const double ratio : ratios) sum += ratio;
  if (this_pe() == 0 && ratios.size() > 1) {
    bench::result_line("plans")
        .add("pes", pe_count())
        .add("transport", transport_name())
        .add("matrices", static_cast<std::int64_t>(ratios.size()))
        .add("mean_ratio", sum / static_cast<double>(ratios.size()))
        .add("worst_ratio", *std::ranges::max_element(ratios))
        .add("within_5_percent", within)
        .add("verified", verified)
        .print();
  }
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return tsubu::run_spmd(argc, argv, program); }
