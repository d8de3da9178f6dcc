// Rows X1, X2, X15, X19, X21, X22: the EM-X paper's three ways to do the sparse product, on Tsubu.
//   blk  each PE writes its block of the vector to all others; then a barrier
//   upd  each PE writes the elements that another one refers to, one packet each
//   thd  the vector stays where it is; each reference to an element is a remote read of its own, and a few tasks, or
//   one
//        for each row, hide their latency
// Method: words written and reads issued are counted where that is done, in one product with class S (the paper's
// sample, its matrix A); with "zeta", whole benchmarks of 10 inner steps, as the paper has, must agree; with "times A"
// or "times B" (its matrix B: every fourth nonzero), what two products take by each way, for a simulated EM-X; with
// "times class_A" what one takes with class A. "cached" is thd that keeps what it has read, "matched" is thd that reads
// two elements at a time.
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "apps/npb/blocks.hpp"
#include "apps/npb/cg.hpp"
#include "apps/npb/exchange_counts.hpp"
#include "tests/acceptance/matched_reads.hpp"
#include "tests/acceptance/rows.hpp"

using namespace tsubu;

namespace {

enum class way { blk, upd, thd, cached, matched };

// What the paper's product takes of EM-X's clocks: 6073.0 ms of one PE for 15 x 11 products of 78,148 nonzeros.
constexpr double clocks_of_nonzero = 9.4;
// The PE's own part of a read, as in machines/emx.toml: to save, send and restore.
constexpr double clocks_of_read = 10;
// Two whose answers are matched: both are sent, one is put away, the other resumes the thread. What a read sends,
// and what putting its value away takes, if it is the only one that needs no packet.
constexpr double clocks_of_two_reads = 15, clocks_of_read_put_away = 5;
// Assumed, of the variant that keeps what it has read: whether an element is there (its mark is loaded, compared, and
// branched on), and to put it there.
constexpr double clocks_of_presence = 4, clocks_of_keeping = 2;
constexpr double clocks_of_copied_word =
    2.33;  // of a loop that sends a block: 6 million words a second with the send's 1

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// One PE's share of the matrix, and its copy of the vector: of which, with thd, only the own block is ever filled.
class product {
 public:
  explicit product(const npb::cg_class& problem, int keep_one_in = 1)
      : first(npb::block_first(problem.na, pe_count(), this_pe())),
        size(npb::block_size(problem.na, pe_count(), this_pe())),
        n(problem.na),
        rows(keep_one_in == 1 ? npb::make_matrix(problem, first, first + size)
                              : npb::rows_of(npb::thin(npb::make_matrix(problem), keep_one_in), first, first + size)),
        whole_(index(n)) {}

  const std::int64_t first, size, n;
  const npb::csr rows;
  std::int64_t words = 0;  // written to other PEs
  std::int64_t reads = 0;  // asked of other PEs
  bool as_timed = false;   // as the paper's versions: see all_written()
  int threads = 0;         // that read the elements; 0: one for each row

  // Before the first product: learns where the others' vectors are, and which elements they need.
  task<void> prepare() {
    wholes_ = co_await all_gather(share(std::span<double>(whole_)));
    wanted_ = co_await all_to_all(npb::needed_elements(rows, n, pe_count(), this_pe()));
    shuffle_rows();
    for (std::int64_t k = 0; k < n; ++k) elements_.push_back(wholes_[index(npb::block_owner(n, pe_count(), k))][k]);
  }

  // q = A v; both blocks of this PE.
  task<void> run(way by, std::span<const double> v, std::span<double> q) {
    std::copy(v.begin(), v.end(), whole_.begin() + first);
    if (by == way::blk) co_await write_block(v);
    if (by == way::upd) co_await write_elements();
    if (by == way::thd || by == way::cached || by == way::matched) {
      keeps_ = by == way::cached;
      matches_ = by == way::matched;
      ++product_;
      co_await barrier();
      co_await read_elements(q);
    } else {
      work(clocks_of_nonzero * static_cast<double>(rows.nonzeros()));
      npb::spmv(rows, whole_, q);
    }
  }

 private:
  task<void> write_block(std::span<const double> v) {
    for (pe_id i = 1; i < pe_count(); ++i) {
      words += size;
      const auto to = index((this_pe() + i) % pe_count());
      if (simulated == nullptr) {
        co_await wholes_[to][first].write(v);
        continue;
      }
      // EM-X has no blocks: a packet each.
      for (std::int64_t k = 0; k < size; ++k) {
        work(clocks_of_copied_word);
        co_await wholes_[to][first + k].put(v[index(k)]);
      }
    }
    co_await all_written(simulated == nullptr);
  }

  // Each write of a block is answered; single words are not. The paper's versions end with a barrier, since EM-X's
  // network keeps order: so do they here where only their time counts.
  task<void> all_written(bool answered) {
    if (answered || as_timed) {
      co_await barrier();
    } else {
      co_await quiescence();
    }
  }

  task<void> write_elements() {
    for (pe_id i = 1; i < pe_count(); ++i) {
      const auto to = index((this_pe() + i) % pe_count());
      for (const std::int32_t k : wanted_[to]) {
        ++words;
        work(2 * clocks_of_copied_word);  // it is looked up
        co_await wholes_[to][k].put(whole_[index(k)]);
      }
    }
    co_await all_written(false);
  }

  task<void> read_elements(std::span<double> q) {
    scope all;
    const std::int64_t tasks = threads == 0 ? size : threads;
    next_row_ = 0;
    for (std::int64_t t = 0; t < tasks; ++t) all.spawn(read_rows(q));
    co_await all.join();
  }
  // Each takes the next row that none has taken.
  task<void> read_rows(std::span<double> q) {
    while (next_row_ < size) co_await read_row(next_row_++, q);
  }
  // The own elements are read like others', by a packet past the network: the paper's T_thd has T_r for each nonzero.
  // Tsubu needs no packet for that, so its cost is said here.
  task<void> read_row(std::int64_t i, std::span<double> q) {
    double sum = 0;
    std::int64_t o = rows.row_start[index(i)];
    const std::int64_t end = rows.row_start[index(i) + 1];
    for (; matches_ && o + 1 < end; o += 2) {
      const std::int32_t e = order_[index(o)], f = order_[index(o + 1)];
      work(2 * clocks_of_nonzero);
      const std::pair<double, double> x = co_await two_elements(rows.column[index(e)], rows.column[index(f)]);
      sum += rows.value[index(e)] * x.first;
      sum += rows.value[index(f)] * x.second;
    }
    for (; o < end; ++o) {
      const std::int32_t e = order_[index(o)];
      const std::int32_t k = rows.column[index(e)];
      work(clocks_of_nonzero);
      double x = 0;
      if (is_own(k)) {
        if (!keeps_) work(clocks_of_read);
        x = whole_[index(k)];
      } else if (keeps_) {
        x = co_await kept(k);
      } else {
        ++reads;
        x = co_await elements_[index(k)].read();
      }
      sum += rows.value[index(e)] * x;
    }
    q[index(i)] = sum;
  }

  bool is_own(std::int32_t k) const { return k >= first && k < first + size; }

  task<std::pair<double, double>> two_elements(std::int32_t k, std::int32_t l) {
    if (is_own(k) && is_own(l)) {
      work(clocks_of_two_reads);
      co_return std::pair(whole_[index(k)], whole_[index(l)]);
    }
    if (is_own(k) || is_own(l)) {
      work(clocks_of_read_put_away);
      ++reads;
      const double other = co_await elements_[index(is_own(k) ? l : k)].read();
      co_return is_own(k) ? std::pair(whole_[index(k)], other) : std::pair(other, whole_[index(l)]);
    }
    reads += 2;
    co_return co_await acceptance::matched_reads(elements_[index(k)], elements_[index(l)]);
  }

  task<double> kept(std::int32_t k) {
    work(clocks_of_presence);
    if (kept_for_[index(k)] != product_) {
      ++reads;
      const double x = co_await elements_[index(k)].read();
      work(clocks_of_keeping);
      whole_[index(k)] = x;
      kept_for_[index(k)] = product_;
    }
    co_return whole_[index(k)];
  }

  // In the paper's matrices the order within a row is that in which NPB's makea came upon the elements, which is
  // random. In the order of columns all PEs would read from the first, then from the second, and so on.
  void shuffle_rows() {
    order_.resize(index(rows.nonzeros()));
    std::iota(order_.begin(), order_.end(), 0);
    std::uint64_t state = static_cast<std::uint64_t>(first) + 1;
    for (std::int64_t i = 0; i < size; ++i) {
      const std::int64_t begin = rows.row_start[index(i)];
      for (std::int64_t left = rows.row_start[index(i) + 1] - begin; left > 1; --left) {
        state = state * 6364136223846793005U + 1442695040888963407U;  // Knuth's, in MMIX
        std::swap(order_[index(begin + left - 1)],
                  order_[index(begin + static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(left)))]);
      }
    }
  }

  std::vector<double> whole_;
  std::int64_t next_row_ = 0;
  bool keeps_ = false, matches_ = false;
  int product_ = 0;
  std::vector<int> kept_for_ = std::vector<int>(index(n));  // the product for which whole_ has the element
  std::vector<std::int32_t> order_;                         // in which a row's elements are taken
  std::vector<global_ptr<double>> wholes_;                  // by PE
  std::vector<std::vector<std::int32_t>> wanted_;           // by PE: the elements of the own block that it refers to
  std::vector<global_ptr<double>> elements_;  // where each element is, so that no division is needed to find it
};

task<void> times(product& a, const std::string& matrix) {
  std::vector<double> v(index(a.size), 1.0), q(v);
  struct version {
    const char* name;
    way by;
    int threads;
  };
  const int products = matrix == "class_A" ? 1 : 2;
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
  const std::string matrix = words.size() > 2 ? words[2] : "A";
  const npb::cg_class& problem = npb::cg_class_named(matrix == "class_A" ? "A" : "S");
  product a(problem, matrix == "B" ? 4 : 1);
  co_await a.prepare();
  if (what == "times") co_await times(a, matrix);
  if (what == "matrices") co_await matrices();
  if (what == "counts") co_await counts(a);
  if (what == "zeta") co_await zetas(a, problem);
  co_return this_pe() == 0 ? acceptance::verdict() : 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
