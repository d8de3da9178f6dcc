// Schedules as tests: a small program under many seeds, quickly, without a process for each.
//
//   task<int> program() { ...; co_return 0; }
//   const sim::findings found = sim::explore(sim::read_machine("cluster"), {.count = 10'000}, program);
//
// The seeds run one after the other in a process of their own. What goes wrong ends that process, as it ends any job;
// so nothing that is half done is ever unwound, and a crash is a finding like any other. The next seed then begins in
// a new one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tsubu/sim/engine.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::sim {

struct outcome {
  int code = 0;              // the largest that a PE's program returned
  std::uint64_t events = 0;  // see engine
  std::int64_t time_ps = 0;
};

// Runs `program` on every PE of one simulated job, in this process, until the job has ended. `how.pes` says how many
// there are. With a seed, what it varies of the sizes is varied, too, where `how` leaves them open.
outcome simulate_once(const machine& on, transport::launch_settings how, const engine_settings& settings,
                      task<int> (*program)());

// One of `pes`, as the seed draws it.
int draw_pes(std::uint64_t seed, const std::vector<int>& pes);

struct exploration {
  std::uint64_t first = 1;  // seed
  std::uint64_t count = 1000;
  std::vector<int> pes = {1, 2, 3, 4, 5, 7, 8};
  double limit_s = 60;    // of a job's own time
  int wall_limit_s = 60;  // of this computer's, for one seed
  int most_failures = 1;  // the exploration ends with so many
};

// A seed under which the program does not end with 0.
struct failure {
  std::uint64_t seed = 0;
  int pes = 0;
  int code = 0;      // the job's exit code
  int signal = 0;    // that ended it instead; SIGALRM: the limit of this computer's time
  std::string said;  // to its standard error
};

struct findings {
  std::uint64_t runs = 0;
  std::uint64_t events = 0;  // of those that passed
  double seconds = 0;        // of one core
  std::vector<failure> failures;
};

// Blocks. What the program prints to the standard output stays there.
findings explore(const machine& on, const exploration& what, task<int> (*program)());

}  // namespace tsubu::sim
