// Choosing a plan's method: what the model expects of each, which of them are tried, which is the fastest, and why.
//
// The model is a guess on a machine that is not simulated, so its choice is checked: methods from which it expects
// nearly as little time as from the best are executed some times. All PEs decide from the same numbers: the longest
// time of any PE.
#pragma once

#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "tsubu/data/plan/cost_model.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::data {

struct plan_candidate {
  plan_method method = plan_method::packed;
  double expected_s = 0;             // on the PE that takes longest
  std::optional<double> measured_s;  // where it was tried
};

class plan_choice {
 public:
  // What is expected of each method, on this machine. Collective.
  static task<plan_choice> expect(exchange_load here);

  // Those that are worth a trial, the most promising one first: at least two, unless all do nothing.
  std::vector<plan_method> worth_a_trial() const;
  // All PEs give the same.
  void set_measured(plan_method method, double seconds);
  // The one that was measured fastest.
  plan_method best() const;

  // With --tsubu-explain, PE 0 says on the standard error what was chosen, and why. Collective.
  task<void> explain(const exchange_pattern& of, std::size_t bytes_of_element, std::source_location where) const;
  // Its table, in lines.
  std::string table() const;

 private:
  explicit plan_choice(std::string machine) : machine_(std::move(machine)) {}

  std::string machine_;
  std::vector<plan_candidate> candidates_;  // the least expected time first
};

}  // namespace tsubu::data
