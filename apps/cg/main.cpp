// NPB CG on Tsubu, and conjugate gradients for a matrix of one's own.
#include <stdexcept>

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

// Runs on every PE.
tsubu::task<int> solve(tsubu::arguments words) {
  cg::options asked;
  std::string exchange = asked.exchange_name();
  program::command_line app("Conjugate gradients: the benchmark NPB CG, or a linear system from a file", "cg");
  const auto class_name = app.add_option("--class", asked.class_name, "the problem: S, W, A, B, C or D; default S");
  class_name.check(check_class).type_name("LETTER");
  app.add_option("--exchange", exchange, "vectors move in blocks (block, the default) or by element (update)")
      .one_of({"block", "update"})
      .type_name("HOW");
  const auto file =
      app.add_option("--matrix", asked.matrix_file, "solve A x = b for this Matrix Market file, b = A (1, ..., 1)");
  file.type_name("FILE").excludes(class_name);
  app.add_flag("--thin", asked.thin, "keep every 4th entry of the class's matrix, as EM-X's matrix B; not verified")
      .excludes(file);
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;

  asked.exchange = exchange == "block" ? cg::exchange_kind::block : cg::exchange_kind::update;
  if (asked.matrix_file.empty()) co_return co_await cg::run_benchmark(asked);
  co_return co_await cg::solve_file(asked);
}

}  // namespace

int main(int argc, char** argv) { return tsubu::run_spmd(argc, argv, solve); }
