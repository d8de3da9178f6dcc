// Rows X1, X2, X19, X21, X22: the EM-X paper's three ways to do the sparse product, on Tsubu.
//   blk  each PE writes its block of the vector to all others; then a barrier
//   upd  each PE writes the elements that another one refers to, one packet each
//   thd  the vector stays where it is; each reference to another PE's element is a remote read of its own, and a task
//        per row hides their latency
// Method: words written and reads issued are counted where that is done, in one product with class S (the paper's
// sample, its matrix A); with "zeta", whole benchmarks of 10 inner steps, as the paper has, must agree.
#include <tsubu/tsubu.hpp>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "apps/npb/blocks.hpp"
#include "apps/npb/cg.hpp"
#include "apps/npb/exchange_counts.hpp"
#include "tests/acceptance/rows.hpp"

using namespace tsubu;

namespace {

enum class way { blk, upd, thd };

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// One PE's share of the matrix, and its copy of the vector: of which, with thd, only the own block is ever filled.
class product {
 public:
  explicit product(const npb::cg_class& problem)
      : first(npb::block_first(problem.na, pe_count(), this_pe())),
        size(npb::block_size(problem.na, pe_count(), this_pe())),
        n(problem.na),
        rows(npb::make_matrix(problem, first, first + size)),
        whole_(index(n)) {}

  const std::int64_t first, size, n;
  const npb::csr rows;
  std::int64_t words = 0;  // written to other PEs
  std::int64_t reads = 0;  // asked of other PEs

  // Before the first product: learns where the others' vectors are, and which elements they need.
  task<void> prepare() {
    wholes_ = co_await all_gather(share(std::span<double>(whole_)));
    wanted_ = co_await all_to_all(npb::needed_elements(rows, n, pe_count(), this_pe()));
    for (std::int64_t k = 0; k < n; ++k) elements_.push_back(wholes_[index(npb::block_owner(n, pe_count(), k))][k]);
  }

  // q = A v; both blocks of this PE.
  task<void> run(way by, std::span<const double> v, std::span<double> q) {
    std::copy(v.begin(), v.end(), whole_.begin() + first);
    if (by == way::blk) co_await write_block(v);
    if (by == way::upd) co_await write_elements();
    if (by == way::thd) {
      co_await barrier();
      co_await read_elements(q);
    } else {
      npb::spmv(rows, whole_, q);
    }
  }

 private:
  task<void> write_block(std::span<const double> v) {
    for (pe_id i = 1; i < pe_count(); ++i) {
      words += size;
      co_await wholes_[index((this_pe() + i) % pe_count())][first].write(v);
    }
    co_await barrier();
  }

  task<void> write_elements() {
    for (pe_id i = 1; i < pe_count(); ++i) {
      const auto to = index((this_pe() + i) % pe_count());
      for (const std::int32_t k : wanted_[to]) {
        ++words;
        co_await wholes_[to][k].put(whole_[index(k)]);
      }
    }
    co_await quiescence();
  }

  task<void> read_elements(std::span<double> q) {
    scope all;
    for (std::int64_t i = 0; i < size; ++i) all.spawn(read_row(i, q));
    co_await all.join();
  }
  task<void> read_row(std::int64_t i, std::span<double> q) {
    double sum = 0;
    for (std::int64_t e = rows.row_start[index(i)]; e < rows.row_start[index(i) + 1]; ++e) {
      const std::int32_t k = rows.column[index(e)];
      double x = 0;
      if (k >= first && k < first + size) {
        x = whole_[index(k)];
      } else {
        ++reads;
        x = co_await elements_[index(k)].read();
      }
      sum += rows.value[index(e)] * x;
    }
    q[index(i)] = sum;
  }

  std::vector<double> whole_;
  std::vector<global_ptr<double>> wholes_;         // by PE
  std::vector<std::vector<std::int32_t>> wanted_;  // by PE: the elements of the own block that it refers to
  std::vector<global_ptr<double>> elements_;       // where each element is, so that no division is needed to find it
};

task<double> sum(double mine) { return all_reduce(mine, reduce::plus); }

// The benchmark without its untimed iteration; returns zeta.
task<double> cg(product& a, const npb::cg_class& problem, way by, int steps) {
  std::vector<double> x(index(a.size), 1.0), z(x), r(x), p(x), q(x);
  double zeta = 0;
  for (int iteration = 0; iteration < problem.niter; ++iteration) {
    double rho = co_await sum(npb::cg_start(x, z, r, p));
    for (int step = 0; step < steps; ++step) {
      co_await a.run(by, p, q);
      const double alpha = rho / co_await sum(npb::dot(p, q));
      const double before = rho;
      rho = co_await sum(npb::cg_advance(alpha, p, q, z, r));
      npb::cg_direct(rho / before, r, p);
    }
    zeta = problem.shift + 1.0 / co_await sum(npb::dot(x, z));
    npb::scale(1.0 / std::sqrt(co_await sum(npb::dot(z, z))), z, x);
  }
  co_return zeta;
}

int column(int p) {
  for (int c = 0; c < 6; ++c)
    if (p == 2 << c) return c;
  return -1;
}

task<void> counts(product& a) {
  static constexpr long long reads[] = {38514, 57714, 67330, 72062, 74472, 75686};
  static constexpr long long upd_words[] = {1400, 4199, 9755, 19979, 34912, 50358};
  const int p = pe_count(), c = column(p);
  if (c < 0) co_return;
  const std::string pes = ", " + std::to_string(p) + " PEs";
  std::vector<double> v(index(a.size)), q(v), q_of_block(v);
  for (std::int64_t i = 0; i < a.size; ++i) v[index(i)] = 1.0 / static_cast<double>(a.first + i + 1);
  double worst = 0;
  for (const way by : {way::blk, way::upd, way::thd}) {
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

task<void> zetas(product& a, const npb::cg_class& problem) {
  constexpr int steps_of_paper = 10;
  for (const way by : {way::blk, way::upd, way::thd}) {
    const double zeta = co_await cg(a, problem, by, steps_of_paper);
    const char* name = by == way::blk ? "blk" : by == way::upd ? "upd" : "thd";
    if (this_pe() == 0)
      acceptance::within("X19", std::string("zeta by ") + name + ", " + std::to_string(pe_count()) + " PEs",
                         8.59717750786, zeta, 1e-10, 11);
  }
}

task<void> matrices() {
  for (const char* name : {"S", "A"}) {
    const npb::cg_class& problem = npb::cg_class_named(name);
    const product mine(problem);
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

task<int> program(arguments words) {
  const std::string what = words.size() > 1 ? words[1] : "counts";
  const npb::cg_class& problem = npb::cg_class_named("S");
  product a(problem);
  co_await a.prepare();
  if (what == "matrices") co_await matrices();
  if (what == "counts") co_await counts(a);
  if (what == "zeta") co_await zetas(a, problem);
  co_return this_pe() == 0 ? acceptance::verdict() : 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
