// Barnes and Hut's N-body simulation in three dimensions on Tsubu, with a concurrent object for each cell of the tree.
#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "apps/nbody/frames.hpp"
#include "apps/nbody/simulation.hpp"
#include "apps/nbody/verification.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

constexpr std::int64_t sample = 256;  // bodies whose forces are checked

struct options {
  std::int64_t bodies = 20'000;
  std::int64_t steps = 1;
  double theta = 0.5;
  double softening = 1e-3;
  double dt = 1e-3;
  std::uint64_t seed = 1;
  std::string distribution = "uniform";
  std::string frames;  // no directory: none
  bool check = false;
  bool json = false;

  nbody::distribution kind() const {
    return distribution == "uniform" ? nbody::distribution::uniform : nbody::distribution::plummer;
  }
};

// What the end of a run is judged by.
struct findings {
  std::int64_t bodies = 0;
  double tree_mass = 0;
  std::optional<double> error;  // of the forces
  std::optional<double> drift;  // of the energy
};

task<findings> inspect(const nbody::simulation* of, const options* asked, double energy_before) {
  findings found;
  // One whose place or speed has become more than a double holds is lost.
  const auto here = std::ranges::count_if(of->bodies(), [](const nbody::body& b) {
    return std::isfinite(dot(b.position, b.position)) && std::isfinite(dot(b.velocity, b.velocity));
  });
  found.bodies = co_await all_reduce(static_cast<std::int64_t>(here), reduce::plus);
  found.tree_mass = of->tree_mass();
  if (!asked->check) co_return found;
  found.error = co_await nbody::force_error(&of->bodies(), asked->bodies, sample, asked->softening);
  const double energy = co_await nbody::total_energy(&of->bodies());
  found.drift = std::abs(energy - energy_before) / std::abs(energy_before);
  co_return found;
}

// Comparisons with what is no number are false.
std::optional<bool> verdict(const findings& found, const options& asked) {
  if (found.bodies != asked.bodies || !(std::abs(found.tree_mass - 1) < 1e-9)) return false;
  if (!asked.check) return std::nullopt;
  constexpr double unknown = std::numeric_limits<double>::infinity();
  return found.error.value_or(unknown) <= nbody::accepted_error(asked.theta, asked.bodies) &&
         found.drift.value_or(unknown) <= nbody::accepted_drift;
}

// Collective.
task<program::result> describe(const options* asked, const nbody::simulation* of, const findings* found,
                               double seconds) {
  const auto steps = static_cast<double>(asked->steps);
  const nbody::cost& spent = of->spent();
  const auto interactions = static_cast<double>(co_await all_reduce(spent.interactions, reduce::plus)) / steps;
  std::vector<double> phases = {spent.share_seconds / steps, spent.tree_seconds / steps, spent.force_seconds / steps};
  phases = co_await all_reduce(std::move(phases), reduce::max);
  const auto mine = static_cast<std::int64_t>(of->bodies().size());
  const std::int64_t least = co_await all_reduce(mine, reduce::min), most = co_await all_reduce(mine, reduce::max);
  const std::int64_t least_cells = co_await all_reduce(of->cells_here(), reduce::min);

  program::result r;
  r.program = "nbody";
  r.input_key = "distribution";
  r.input = asked->distribution;
  r.exchange = "message";
  r.verified = verdict(*found, *asked);
  r.seconds = seconds;
  r.about = fmt::format("Barnes-Hut: {} bodies ({}), theta {:g}, steps of {:g}", asked->bodies, asked->distribution,
                        asked->theta, asked->dt);
  r.counts = {{"bodies", asked->bodies}, {"steps", asked->steps},
              {"cells", of->cells()},    {"interactions", std::llround(interactions)},  // a step
              {"least_bodies", least},                                                  // on a PE
              {"most_bodies", most},     {"least_cells", least_cells}};
  const double per_step = seconds / steps;
  r.figures = {{"seconds_per_step", per_step},
               {"share_seconds", phases[0]},
               {"tree_seconds", phases[1]},
               {"force_seconds", phases[2]},
               {"ticks_per_interaction", per_step * 1e9 * ticks_per_ns() * pe_count() / interactions}};
  if (found->error) r.figures.emplace_back("force_error", *found->error);
  if (found->drift) r.figures.emplace_back("energy_drift", *found->drift);
  if (found->bodies != asked->bodies)
    r.details.emplace_back("lost",
                           fmt::format("{} bodies, or no double holds where they are", asked->bodies - found->bodies));
  if (found->error) {
    r.details.emplace_back("accepted",
                           fmt::format("a force error of {:g}, an energy drift of {:g}",
                                       nbody::accepted_error(asked->theta, asked->bodies), nbody::accepted_drift));
  }
  co_return r;
}

// Runs on every PE.
task<int> simulate(options asked) {
  program::progress shown("nbody");
  shown.begin("first forces");
  nbody::simulation bodies;
  co_await bodies.begin(asked.kind(), asked.bodies, asked.seed, asked.theta, asked.softening);
  const double energy = co_await nbody::total_energy(&bodies.bodies());

  double seconds = 0;
  for (std::int64_t step = 0; step <= asked.steps; ++step) {
    if (step > 0) {
      co_await barrier();
      program::stopwatch watch;
      co_await bodies.step(asked.dt);
      seconds += watch.seconds();
      shown.step("step", step, asked.steps);
    }
    if (asked.frames.empty()) continue;
    const std::string trouble = co_await nbody::write_frame(asked.frames, step, &bodies.bodies());
    if (!trouble.empty()) co_return program::complain("nbody", trouble);
  }
  seconds = co_await all_reduce(seconds, reduce::max);

  const findings found = co_await inspect(&bodies, &asked, energy);
  const program::result result = co_await describe(&asked, &bodies, &found, seconds);
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

// Runs on every PE.
task<int> read_and_simulate(arguments words) {
  options asked;
  program::command_line app("Bodies that move under their gravity: Barnes and Hut's tree of concurrent objects",
                            "nbody");
  app.add_option("--bodies", asked.bodies, "how many; default 20000")
      .range(std::int64_t{1}, std::int64_t{1'000'000'000})
      .type_name("N");
  app.add_option("--distribution", asked.distribution,
                 "uniform (in the unit cube, at rest; the default) or plummer (a star cluster in equilibrium)")
      .one_of({"uniform", "plummer"})
      .type_name("KIND");
  app.add_option("--seed", asked.seed, "of the bodies; default 1").type_name("S");
  app.add_option("--steps", asked.steps, "how many; default 1")
      .range(std::int64_t{1}, std::int64_t{1'000'000'000})
      .type_name("N");
  app.add_option("--dt", asked.dt, "the time of a step; default 0.001").positive().type_name("T");
  app.add_option("--theta", asked.theta, "a cell counts as one body where size / distance is less; default 0.5")
      .positive()
      .type_name("X");
  app.add_option("--softening", asked.softening, "the length within which gravity is weakened; default 0.001")
      .positive()
      .type_name("L");
  app.add_flag("--check", asked.check, "compare with direct sums, and energy at the end with that at the start");
  app.add_option("--frames", asked.frames,
                 "write the bodies to a VTK file in this directory before and after each step")
      .type_name("DIR");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  co_return co_await simulate(asked);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, read_and_simulate); }
