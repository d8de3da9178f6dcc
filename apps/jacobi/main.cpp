// Jacobi's method on Tsubu: temperatures on a grid, whose PEs exchange rows; and the band matrix of the EULASH paper.
#include <fmt/core.h>
#include <memory>
#include <string>

#include "apps/jacobi/band.hpp"
#include "apps/jacobi/edges.hpp"
#include "apps/jacobi/grid.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/protocol_option.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

struct options {
  std::string problem = "grid";
  std::size_t size = 0;  // 0: 2048, or 250 unknowns
  int iterations = 100;
  std::size_t half = 4;
  std::string exchange = "shared";
  std::string type = "update";
  std::string matrix_home = "block";
  bool no_comparison = false;
  bool json = false;
};

task<int> run_grid(options chosen) {
  const std::size_t size = chosen.size != 0 ? chosen.size : 2048;
  const auto pes = static_cast<std::size_t>(pe_count()), me = static_cast<std::size_t>(this_pe());
  if (size < pes)
    co_return program::complain("jacobi", fmt::format("--size: {} rows for {} PEs: each needs one", size, pes));
  program::progress shown("jacobi");
  std::unique_ptr<jacobi::edge_exchange> edges;
  if (chosen.exchange == "messages") {
    edges = jacobi::exchange_by_messages();
  } else {
    edges = co_await jacobi::exchange_by_shared_rows(*protocol_named(chosen.type));
  }
  jacobi::grid_block block(size, size * me / pes, size * (me + 1) / pes);
  co_await edges->exchange(block);  // memory and copies are there
  co_await barrier();
  program::stopwatch watch;
  for (int i = 0; i < chosen.iterations; ++i) {
    co_await edges->exchange(block);
    block.step();
    shown.step("step", i + 1, chosen.iterations);
  }
  const double seconds = co_await all_reduce(watch.seconds(), reduce::max);

  bool right = true;
  if (!chosen.no_comparison) {
    shown.begin("computing the same on one PE");
    std::vector<std::uint64_t> digests;
    if (me == 0) digests = jacobi::reference_digests(size, chosen.iterations);
    digests = co_await broadcast(std::move(digests));
    for (std::size_t r = size * me / pes; r < size * (me + 1) / pes; ++r)
      right = right && block.digest(r) == digests[r];
    right = co_await all_reduce(right, reduce::all);
  }
  program::result result;
  result.program = "jacobi";
  result.input_key = "problem";
  result.input = "grid";
  result.exchange = chosen.exchange == "messages" ? "messages" : "shared, " + chosen.type;
  if (!chosen.no_comparison) result.verified = right;
  result.seconds = seconds;
  const double points = static_cast<double>(size) * static_cast<double>(size) * chosen.iterations;
  result.figures.emplace_back("points_per_second", points / seconds);
  result.counts.emplace_back("iterations", chosen.iterations);
  result.about = fmt::format("Jacobi: a grid of {} x {}, {} steps", size, size, chosen.iterations);
  if (!chosen.no_comparison) {
    result.details.emplace_back("result", right ? "each value has the bits of one PE's" : "not that of one PE");
  }
  program::print(result, chosen.json);
  co_return program::exit_code(result);
}

task<int> run_band(options chosen) {
  jacobi::band_problem problem;
  if (chosen.size != 0) problem.unknowns = chosen.size;
  problem.half = chosen.half;
  const protocol how = *protocol_named(chosen.type);
  const jacobi::band_result found = co_await jacobi::solve_band(problem, how, how, chosen.matrix_home == "cycle");
  const jacobi::band_result here = jacobi::solve_band_here(problem);

  program::result result;
  result.program = "jacobi";
  result.input_key = "problem";
  result.input = "band";
  result.exchange = "shared, " + chosen.type;
  result.verified = found.error < 1e-9 && std::abs(found.iterations - here.iterations) <= 1;
  result.seconds = found.seconds;
  result.counts.emplace_back("iterations", found.iterations);
  result.figures.emplace_back("error", found.error);
  result.about = fmt::format("Jacobi: {} unknowns, {} diagonals", problem.unknowns, problem.width());
  result.details.emplace_back("plain arrays", fmt::format("{} iterations", here.iterations));
  program::print(result, chosen.json);
  co_return program::exit_code(result);
}

// Runs on every PE.
task<int> solve(arguments words) {
  options chosen;
  program::command_line app("Jacobi's method: temperatures on a grid, or equations with a band matrix", "jacobi");
  app.add_option("--problem", chosen.problem, "grid (default), or band, the problem of the EULASH paper")
      .one_of({"grid", "band"})
      .type_name("NAME");
  app.add_option("--size", chosen.size, "rows of the grid, default 2048; or unknowns, default 250")
      .range(1, 1 << 20)
      .type_name("N");
  app.add_option("--iterations", chosen.iterations, "steps of the grid; default 100").range(1, 1 << 30).type_name("N");
  app.add_option("--half-band", chosen.half, "diagonals on each side of the main one; default 4")
      .range(1, 1000)
      .type_name("N");
  app.add_option("--exchange", chosen.exchange,
                 "on the grid: rows are shared data (shared, the default) or messages written by hand (messages)")
      .one_of({"shared", "messages"})
      .type_name("HOW");
  program::add_protocol_option(app, chosen.type, "the shared data");
  app.add_option("--matrix-home", chosen.matrix_home,
                 "of the band matrix: the PE that uses a row (block, the default), or all in turn (cycle)")
      .one_of({"block", "cycle"})
      .type_name("WHERE");
  app.add_flag("--no-comparison", chosen.no_comparison, "on the grid: not to compute it on one PE again");
  app.add_flag("--json", chosen.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  if (chosen.problem == "grid") co_return co_await run_grid(chosen);
  co_return co_await run_band(chosen);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, solve); }
