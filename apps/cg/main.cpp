// NPB CG on Tsubu, and conjugate gradients for a matrix of one's own.
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cg/benchmark.hpp"
#include "apps/cg/linear_system.hpp"
#include "apps/npb/cg.hpp"
#include "apps/program/command_line.hpp"
#include "tsubu/tsubu.hpp"

namespace {

std::string check_class(const std::string& name) {
  try {
    npb::cg_class_named(name);
    return {};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

std::vector<std::string> exchanges() {
  std::vector<std::string> words;
  for (const tsubu::plan_method method : tsubu::plan_methods) words.emplace_back(name_of(method));
  words.emplace_back(name_of(tsubu::plan_method::automatic));
  return words;
}

cg::distribution distribution_named(std::string_view name) {
  if (name == "columns") return cg::distribution::columns;
  return name == "blocks" ? cg::distribution::blocks : cg::distribution::rows;
}

// Runs on every PE.
tsubu::task<int> solve(tsubu::arguments words) {
  cg::options asked;
  std::string dealt = "rows", exchange = "block", order;
  program::command_line app("Conjugate gradients: the benchmark NPB CG, or a linear system from a file", "cg");
  const auto class_name = app.add_option("--class", asked.class_name, "the problem: S, W, A, B, C or D; default S");
  class_name.check(check_class).type_name("LETTER");
  app.add_option("--distribution", dealt,
                 "what of the matrix a PE has: rows, columns, or a block of a grid of PEs; default rows")
      .one_of({"rows", "columns", "blocks"})
      .type_name("HOW");
  app.add_option("--exchange", exchange,
                 "how the vector comes to those that multiply by it (docs/plans.md); default block")
      .one_of(exchanges())
      .type_name("HOW");
  app.add_option(
         "--reductions", asked.reductions,
         "all_reduces of a step, one after the other: 2, or 1 with a vector more (Chronopoulos and Gear); default 2")
      .range(1, 2)
      .type_name("N");
  app.add_option("--threads", asked.exchange.tasks, "read and cached: so many tasks of a PE read at a time; default 4")
      .range(1, 1024)
      .type_name("N");
  const auto file =
      app.add_option("--matrix", asked.matrix_file, "solve A x = b for this Matrix Market file, b = A (1, ..., 1)");
  file.type_name("FILE").excludes(class_name);
  app.add_option("--reorder", order,
                 "renumber the matrix of the file so that PEs need less of each other: by rcm, along a narrow band; by "
                 "metis, as parts of its graph")
      .one_of({"rcm", "metis"})
      .type_name("HOW")
      .needs(file);
  app.add_flag("--thin", asked.thin, "keep every 4th entry of the class's matrix, as EM-X's matrix B; not verified")
      .excludes(file);
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;

  asked.how = distribution_named(dealt);
  asked.exchange.method = *tsubu::plan_method_named(exchange);
  if (!order.empty()) asked.reorder = order == "rcm" ? cg::numbering::by_bandwidth : cg::numbering::by_cut;
  if (asked.matrix_file.empty()) co_return co_await cg::run_benchmark(asked);
  co_return co_await cg::solve_file(asked);
}

}  // namespace

int main(int argc, char** argv) { return tsubu::run_spmd(argc, argv, solve); }
