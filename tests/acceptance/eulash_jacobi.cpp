// Rows U6 to U8 of the EULASH paper: Jacobi's method for 250 unknowns, whose matrix is held in data of each type.
// Process 0 makes all data, as the paper's programs begin with one process; each process has a block of rows and goes
// through them. The matrix is held in full or as a band (--stored band); x, which all read and write, is shared. Prints
// the time of a step, of which the first, that brings copies, is left out; tests/papers judges.
//
// What a multiplication and a subtraction take is assumed as in apps/mp3d/work_clocks.hpp: 60 clocks each on an
// MC68882, and half as much again for the rest of the loop.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "apps/jacobi/band.hpp"
#include "tsubu/eulash.hpp"
#include "tsubu/tsubu.hpp"

using namespace tsubu;

namespace {

constexpr double clocks_of_element = 180;

struct equations {
  jacobi::band_problem band;
  bool in_full = true;
  int steps = 0;  // 0: until it converges

  std::size_t width() const { return in_full ? band.unknowns : band.width(); }
  // The column of a row's element, or `unknowns` where it has none.
  std::size_t column(std::size_t i, std::size_t k) const {
    if (in_full) return k;
    return i + k >= band.half && i + k - band.half < band.unknowns ? i + k - band.half : band.unknowns;
  }
  double element(std::size_t i, std::size_t k) const {
    const std::size_t j = column(i, k);
    if (j == band.unknowns || j + band.half < i || j > i + band.half) return 0;
    return band.element(i, j + band.half - i);
  }
};

struct outcome {
  int steps = 0;
  double step_ns = 0;
  double error = 0;
};

// On process 0; then all have the names.
template <class Datum>
task<std::vector<Datum>> make(std::size_t count, std::vector<double> values) {
  std::vector<Datum> all(count);
  if (this_pe() == 0) std::ranges::transform(values, all.begin(), [](double v) { return Datum(v); });
  co_return co_await broadcast(std::move(all));
}

template <class Datum>
class solver {
 public:
  explicit solver(const equations& of) : of_(of), first_(share(0)), last_(share(1)) {}

  task<outcome> run() {
    co_await make_data();
    outcome result;
    co_await step();
    const std::int64_t begin = now_ns();
    double change = 0;
    do {
      change = co_await step();
      ++result.steps;
    } while (of_.steps == 0 ? change > of_.band.tolerance : result.steps < of_.steps);
    const auto ns = static_cast<double>(now_ns() - begin);
    result.step_ns = co_await all_reduce(ns, reduce::max) / result.steps;
    for (std::size_t i = first_; i < last_; ++i)
      result.error = std::max(result.error, std::abs(co_await x_[i].read() - of_.band.solution(i)));
    result.error = co_await all_reduce(result.error, reduce::max);
    co_return result;
  }

 private:
  std::size_t share(std::size_t after) const {
    return of_.band.unknowns * (static_cast<std::size_t>(this_pe()) + after) / static_cast<std::size_t>(pe_count());
  }

  task<void> make_data() {
    const std::size_t n = of_.band.unknowns;
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < of_.width(); ++k) values.push_back(of_.element(i, k));
    a_ = co_await make<Datum>(values.size(), values);
    x_ = co_await make<eulash::shared<double>>(n, std::vector<double>(n));
    next_.resize(last_ - first_);
  }

  // The sum of products of row i but for the diagonal, which it also finds.
  task<double> sum_of_row(std::size_t i, double& diagonal) {
    double sum = 0;
    for (std::size_t k = 0; k < of_.width(); ++k) {
      const std::size_t j = of_.column(i, k);
      if (j == of_.band.unknowns) continue;
      const double element = co_await a_[i * of_.width() + k].read();
      if (j == i) {
        diagonal = element;
        continue;
      }
      sum += element * co_await x_[j].read();
      work(clocks_of_element);
    }
    co_return sum;
  }

  // x' = (b - (A - D) x) / D. Returns the norm of the change.
  task<double> step() {
    double change = 0;
    for (std::size_t i = first_; i < last_; ++i) {
      double diagonal = 1;
      const double sum = co_await sum_of_row(i, diagonal);
      next_[i - first_] = (of_.band.right_side(i) - sum) / diagonal;
      const double by = next_[i - first_] - co_await x_[i].read();
      change += by * by;
    }
    change = std::sqrt(co_await all_reduce(change, reduce::plus));  // nobody reads this step's x any more
    for (std::size_t i = first_; i < last_; ++i) co_await x_[i].write(next_[i - first_]);
    co_await barrier();
    co_return change;
  }

  const equations of_;
  const std::size_t first_, last_;  // rows
  std::vector<Datum> a_;
  std::vector<eulash::shared<double>> x_;
  std::vector<double> next_;
};

template <class Datum>
task<outcome> solve(equations of) {
  solver<Datum> here(of);
  co_return co_await here.run();
}

task<int> program(arguments args) {
  std::string type = "shared";
  equations of;
  for (std::size_t i = 1; i + 1 < args.size(); i += 2) {
    if (args[i] == "--type") type = args[i + 1];
    if (args[i] == "--stored") of.in_full = args[i + 1] == "full";
    if (args[i] == "--unknowns") of.band.unknowns = std::stoul(args[i + 1]);
    if (args[i] == "--steps") of.steps = std::stoi(args[i + 1]);
  }
  outcome found;
  if (type == "shared") found = co_await solve<eulash::shared<double>>(of);
  if (type == "mobile") found = co_await solve<eulash::mobile<double>>(of);
  if (type == "w_update") found = co_await solve<eulash::w_update<double>>(of);
  if (type == "w_invalid") found = co_await solve<eulash::w_invalid<double>>(of);
  const bool right = found.steps > 0 && (of.steps != 0 || found.error < 1e-9);
  if (this_pe() == 0) {
    std::printf("STEP %s %.0f ns\n%s\n", type.c_str(), found.step_ns, right ? "solved" : "not solved");
  }
  co_return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
