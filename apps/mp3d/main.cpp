// MP3D on Tsubu: a rarefied gas streams through a wind tunnel, past a plate, many times faster than sound.
//
// Source: SPLASH (Singh, Weber, Gupta 1992). Ours is a program of its own, whose results do not depend on the number of
// PEs.
#include <fmt/core.h>
#include <optional>
#include <string>

#include "apps/mp3d/reference.hpp"
#include "apps/mp3d/simulation.hpp"
#include "apps/mp3d/verification.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/protocol_option.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

struct options {
  std::int64_t molecules = 100'000;
  std::int64_t steps = 20;
  std::uint64_t seed = 1;
  std::string exchange = "messages";
  std::optional<protocol> type;  // of the shared variables
  bool compare = true;
  bool json = false;
};

// What a run of the job, or of the sequential program, has come to.
struct run_of {
  mp3d::outcome outcome;
  double seconds = 0;  // of the steps
};

double seconds_since(std::int64_t start_ns) { return static_cast<double>(now_ns() - start_ns) * 1e-9; }

// On one PE; the others wait for it, and it answers them between two steps.
task<run_of> run_reference(options asked, program::progress* shown) {
  mp3d::reference reference(mp3d::gas(asked.molecules, asked.seed));
  const std::int64_t start_ns = now_ns();
  for (std::int64_t step = 1; step <= asked.steps; ++step) {
    reference.step();
    shown->step("comparing with the sequential program: step", step, asked.steps);
    co_await yield();
  }
  run_of run;
  run.seconds = seconds_since(start_ns);
  run.outcome = {reference.counted(), reference.molecules_in_stream(), reference.digest()};
  co_return run;
}

program::result describe(const options& asked, const run_of& run, const std::optional<run_of>& expected,
                         const std::string& trouble) {
  const mp3d::counters& counted = run.outcome.counted;
  program::result r;
  r.program = "mp3d";
  r.input_key = "seed";
  r.input = std::to_string(asked.seed);
  r.exchange = asked.exchange;
  if (asked.type) r.exchange += fmt::format(" {}", name_of(*asked.type));
  if (!trouble.empty()) {
    r.verified = false;
  } else if (expected) {
    r.verified = true;
  }
  r.seconds = run.seconds;
  r.about = fmt::format("MP3D: {} molecules, {} steps, seed {}", asked.molecules, asked.steps, asked.seed);
  r.counts = {{"molecules", asked.molecules},
              {"steps", asked.steps},
              {"collisions", counted.collisions},
              {"boundary_hits", counted.boundary_hits},
              {"plate_hits", counted.plate_hits},
              {"entered", counted.entered},
              {"left", counted.left},
              {"in_stream", run.outcome.in_stream}};
  const double moves = static_cast<double>(asked.molecules) * static_cast<double>(asked.steps);
  r.figures = {{"moves_per_second", moves / run.seconds},
               {"momentum_error", counted.momentum_error},
               {"energy_error", counted.energy_error}};
  if (expected) r.figures.emplace_back("reference_seconds", expected->seconds);
  if (!trouble.empty()) r.details.emplace_back("trouble", trouble);
  return r;
}

// Collective.
task<std::unique_ptr<mp3d::simulation>> fill_tunnel(options asked) {
  const mp3d::gas gas(asked.molecules, asked.seed);
  if (!asked.type) co_return mp3d::make_message_simulation(gas);
  co_return co_await mp3d::make_shared_simulation(gas, *asked.type);
}

// Runs on every PE.
task<int> simulate(options asked) {
  program::progress shown("mp3d");
  shown.begin("filling the tunnel");
  const std::unique_ptr<mp3d::simulation> gas = co_await fill_tunnel(asked);
  const mp3d::outcome began = co_await all_reduce(co_await gas->part(), reduce::plus);

  run_of run;
  program::stopwatch watch;
  for (std::int64_t step = 1; step <= asked.steps; ++step) {
    co_await gas->step();
    shown.step("step", step, asked.steps);
  }
  run.seconds = co_await all_reduce(watch.seconds(), reduce::max);
  run.outcome = co_await all_reduce(co_await gas->part(), reduce::plus);

  std::optional<run_of> expected;
  if (asked.compare && this_pe() == 0) expected = co_await run_reference(asked, &shown);
  std::string trouble = mp3d::trouble_of(began, run.outcome);
  if (trouble.empty() && expected) trouble = mp3d::difference(run.outcome, expected->outcome);
  const program::result result = describe(asked, run, expected, trouble);
  program::print(result, asked.json);
  co_return co_await broadcast(program::exit_code(result), 0);
}

// Runs on every PE.
task<int> read_and_simulate(arguments words) {
  options asked;
  program::command_line app("A rarefied gas that streams past a plate: SPLASH's MP3D", "mp3d");
  app.add_option("--molecules", asked.molecules, "how many; default 100000")
      .range(std::int64_t{1}, std::int64_t{1'000'000'000})
      .type_name("N");
  app.add_option("--steps", asked.steps, "how many; default 20")
      .range(std::int64_t{1}, std::int64_t{1'000'000'000})
      .type_name("N");
  app.add_option("--seed", asked.seed, "of all random numbers; default 1").type_name("S");
  app.add_option("--exchange", asked.exchange,
                 "molecules and cells meet by messages (the default), or are shared variables (shared)")
      .one_of({"messages", "shared"})
      .type_name("HOW");
  std::string type = "global";
  const program::option given = program::add_protocol_option(app, type, "the shared variables");
  app.add_flag("!--no-comparison", asked.compare, "do not run the sequential program, too, to compare with it");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  if (asked.exchange == "shared") {
    asked.type = protocol_named(type);
  } else if (given.given()) {
    co_return program::complain("mp3d", fmt::format("--type: only with --exchange shared, got {}", asked.exchange));
  }
  co_return co_await simulate(asked);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, read_and_simulate); }
