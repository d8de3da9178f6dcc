// Rows X1 to X11, X15, X16, X19 to X22: the EM-X paper's CG, by its ways to do the sparse product (sparse_product.hpp).
// Method: words written and reads issued are counted where that is done, in one product with class S (the paper's
// sample, its matrix A); with "zeta", whole benchmarks of 10 inner steps, as the paper has, must agree. The others are
// for a simulated EM-X: "times A", "times B" (its matrix B: every fourth nonzero) or "times class_A" tell what two
// products take by each way (with class A: one), and how many nonzeros the busiest PE has; "whole A blk 15" what so
// many of the benchmark's iterations take, in single precision as EM-X has it, and their zeta.
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "apps/npb/cg.hpp"
#include "tests/acceptance/rows.hpp"
#include "tests/acceptance/sparse_cg.hpp"

using namespace tsubu;
using acceptance::index;
using acceptance::product;
using acceptance::way;

namespace {

task<void> times(product<double>& a, const std::string& matrix) {
  std::vector<double> v(index(a.size), 1.0), q(v);
  struct version {
    const char* name;
    way by;
    int threads;
  };
  const int products = matrix == "class_A" ? 1 : 2;
  const std::int64_t most = co_await all_reduce(a.rows.nonzeros(), reduce::max);
  if (this_pe() == 0) std::printf("BUSIEST %lld\n", static_cast<long long>(most));
  a.as_timed = true;
  for (const version& one : {version{"blk", way::blk, 0}, version{"upd", way::upd, 0}, version{"thd-4", way::thd, 4},
                             version{"thd-1", way::thd, 1}, version{"thd-2", way::thd, 2},
                             version{"cached-4", way::cached, 4}, version{"matched-4", way::matched, 4}}) {
    if (matrix == "class_A" && (one.threads != 0 && one.threads != 4)) continue;
    a.threads = one.threads;
    co_await barrier();
    const std::int64_t start_ns = now_ns();
    for (int i = 0; i < products; ++i) co_await a.run(one.by, v, q);
    co_await barrier();  // the work of the last one is done
    const std::int64_t mine_ns = now_ns() - start_ns;
    const std::int64_t longest_ns = co_await all_reduce(mine_ns, reduce::max);
    if (this_pe() == 0)
      std::printf("TIME %s %s %d %lld\n", matrix.c_str(), one.name, pe_count(), static_cast<long long>(longest_ns));
  }
}

int column(int p) {
  for (int c = 0; c < 6; ++c)
    if (p == 2 << c) return c;
  return -1;
}

task<void> counts(product<double>& a) {
  static constexpr long long reads[] = {38514, 57714, 67330, 72062, 74472, 75686};
  static constexpr long long upd_words[] = {1400, 4199, 9755, 19979, 34912, 50358};
  const int p = pe_count(), c = column(p);
  if (c < 0) co_return;
  const std::string pes = ", " + std::to_string(p) + " PEs";
  std::vector<double> v(index(a.size)), q(v), q_of_block(v);
  for (std::int64_t i = 0; i < a.size; ++i) v[index(i)] = 1.0 / static_cast<double>(a.first + i + 1);
  double worst = 0;
  for (const way by : {way::blk, way::upd, way::thd, way::cached, way::matched}) {
    a.words = a.reads = 0;
    co_await a.run(by, v, q);
    if (by == way::blk) q_of_block = q;
    for (std::size_t i = 0; i < q.size(); ++i)
      worst = std::max(worst, std::abs(q[i] - q_of_block[i]) / (1 + std::abs(q_of_block[i])));
    const long long words_of_all = co_await all_reduce(a.words, reduce::plus);
    const long long reads_of_all = co_await all_reduce(a.reads, reduce::plus);
    if (this_pe() != 0) continue;
    if (by == way::blk) acceptance::exact("X22", "words per product, blk" + pes, a.n * (p - 1), words_of_all);
    if (by == way::upd) acceptance::exact("X22", "words per product, upd" + pes, upd_words[c], words_of_all);
    if (by == way::thd) acceptance::exact("X21", "remote reads per product, thd" + pes, reads[c], reads_of_all);
  }
  worst = co_await all_reduce(worst, reduce::max);
  if (this_pe() == 0 && worst > 1e-13)
    acceptance::row("X22", "the three products agree" + pes, "1e-13", std::to_string(worst), false);
}

task<void> zetas(product<double>& a, const npb::cg_class& problem) {
  for (const way by : {way::blk, way::upd, way::thd}) {
    const double zeta = co_await acceptance::cg(a, problem, by, problem.niter);
    const char* name = by == way::blk ? "blk" : by == way::upd ? "upd" : "thd";
    if (this_pe() == 0)
      acceptance::within("X19", std::string("zeta by ") + name + ", " + std::to_string(pe_count()) + " PEs",
                         8.59717750786, zeta, 1e-10, 11);
  }
}

task<void> matrices() {
  for (const char* name : {"S", "A"}) {
    const npb::cg_class& problem = npb::cg_class_named(name);
    const product<double> mine(problem);
    const std::int64_t nonzeros = co_await all_reduce(mine.rows.nonzeros(), reduce::plus);
    if (this_pe() == 0)
      acceptance::exact("X1", "nonzeros, n = " + std::to_string(problem.na), problem.na == 1400 ? 78148 : 1853104,
                        nonzeros);
  }
  if (this_pe() != 0) co_return;
  const npb::csr b = npb::thin(npb::make_matrix(npb::cg_class_named("S")), 4);
  acceptance::exact("X2", "nonzeros of matrix B", 19537, b.nonzeros());
  const double per_row = static_cast<double>(b.nonzeros()) / static_cast<double>(b.rows());
  acceptance::within("X2", "of them per row", 14.0, per_row, 0.05, 1);
}

// Iterations of the benchmark with the paper's matrix `name`, in single precision.
task<int> whole(std::string name, std::string by, int iterations) {
  const std::map<std::string, std::pair<way, int>> versions = {
      {"blk", {way::blk, 0}}, {"upd", {way::upd, 0}}, {"thd-4", {way::thd, 4}}};
  if (!versions.contains(by) || iterations < 1) {
    std::fprintf(stderr, "sparse whole: expected blk, upd or thd-4, and a number of iterations\n");
    co_return 2;
  }
  const npb::cg_class& problem = npb::cg_class_named(name == "class_A" ? "A" : "S");
  product<float> a(problem, name == "B" ? 4 : 1);
  a.as_timed = a.waits_for_all = true;
  a.threads = versions.at(by).second;
  co_await a.prepare();
  co_await barrier();
  const std::int64_t start_ns = now_ns();
  const float zeta = co_await acceptance::cg(a, problem, versions.at(by).first, iterations);
  const std::int64_t mine_ns = now_ns() - start_ns;
  const std::int64_t longest_ns = co_await all_reduce(mine_ns, reduce::max);
  if (this_pe() == 0)
    std::printf("WHOLE %lld ns, zeta %.11f\n", static_cast<long long>(longest_ns), static_cast<double>(zeta));
  co_return 0;
}

task<int> program(arguments words) {
  const std::string what = words.size() > 1 ? words[1] : "counts";
  const std::string matrix = words.size() > 2 ? words[2] : "A";
  if (what == "whole" && words.size() == 5) co_return co_await whole(matrix, words[3], std::stoi(words[4]));
  const npb::cg_class& problem = npb::cg_class_named(matrix == "class_A" ? "A" : "S");
  product<double> a(problem, matrix == "B" ? 4 : 1);
  co_await a.prepare();
  if (what == "times") co_await times(a, matrix);
  if (what == "matrices") co_await matrices();
  if (what == "counts") co_await counts(a);
  if (what == "zeta") co_await zetas(a, problem);
  co_return this_pe() == 0 ? acceptance::verdict() : 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
