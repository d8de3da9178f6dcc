// The EM-X paper's ways to do the sparse product of CG, on Tsubu.
//   blk      each PE writes its block of the vector to all others; then a barrier
//   upd      each PE writes the elements that another one refers to, one packet each
//   thd      the vector stays where it is; each reference to an element is a remote read of its own, and a few tasks,
//            or one for each row, hide their latency
//   cached   thd that keeps what it has read
//   matched  thd that reads two elements at a time
// What they take of a simulated EM-X's clocks is declared; what they send and read, it takes by itself.
#pragma once

#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "apps/npb/blocks.hpp"
#include "apps/npb/cg.hpp"
#include "apps/npb/exchange_counts.hpp"
#include "tests/acceptance/matched_reads.hpp"

namespace acceptance {

using namespace tsubu;

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

inline std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// One PE's share of the matrix, and its copy of the vector: of which, with thd, only the own block is ever filled. T:
// what its elements are.
template <class T>
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
  bool waits_for_all = false;
  int threads = 0;  // that read the elements; 0: one for each row

  // Before the first product: learns where the others' vectors are, and which elements they need.
  task<void> prepare() {
    wholes_ = co_await all_gather(share(std::span<T>(whole_)));
    wanted_ = co_await all_to_all(npb::needed_elements(rows, n, pe_count(), this_pe()));
    shuffle_rows();
    for (std::int64_t k = 0; k < n; ++k) elements_.push_back(wholes_[index(npb::block_owner(n, pe_count(), k))][k]);
  }

  // q = A v; both blocks of this PE.
  task<void> run(way by, std::span<const T> v, std::span<T> q) {
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
      multiply(q);
    }
  }

 private:
  task<void> write_block(std::span<const T> v) {
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
  // network keeps order: so do they here where only their time counts. Where the values do, too (waits_for_all), it is
  // also made sure that all have come, which takes a simulated machine next to nothing.
  task<void> all_written(bool answered) {
    if (answered || as_timed) co_await barrier();
    if (waits_for_all || !(answered || as_timed)) co_await quiescence();
  }

  void multiply(std::span<T> q) const {
    for (std::int64_t i = 0; i < size; ++i) {
      T sum = 0;
      for (std::int64_t o = rows.row_start[index(i)]; o < rows.row_start[index(i) + 1]; ++o)
        sum += value_of(o) * whole_[index(rows.column[index(o)])];
      q[index(i)] = sum;
    }
  }
  T value_of(std::int64_t element) const { return static_cast<T>(rows.value[index(element)]); }

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

  task<void> read_elements(std::span<T> q) {
    scope all;
    const std::int64_t tasks = threads == 0 ? size : threads;
    next_row_ = 0;
    for (std::int64_t t = 0; t < tasks; ++t) all.spawn(read_rows(q));
    co_await all.join();
  }
  // Each takes the next row that none has taken.
  task<void> read_rows(std::span<T> q) {
    while (next_row_ < size) co_await read_row(next_row_++, q);
  }
  // The own elements are read like others', by a packet past the network: the paper's T_thd has T_r for each nonzero.
  // Tsubu needs no packet for that, so its cost is said here.
  task<void> read_row(std::int64_t i, std::span<T> q) {
    T sum = 0;
    std::int64_t o = rows.row_start[index(i)];
    const std::int64_t end = rows.row_start[index(i) + 1];
    for (; matches_ && o + 1 < end; o += 2) {
      const std::int32_t e = order_[index(o)], f = order_[index(o + 1)];
      work(2 * clocks_of_nonzero);
      const std::pair<T, T> x = co_await two_elements(rows.column[index(e)], rows.column[index(f)]);
      sum += value_of(e) * x.first;
      sum += value_of(f) * x.second;
    }
    for (; o < end; ++o) {
      const std::int32_t e = order_[index(o)];
      const std::int32_t k = rows.column[index(e)];
      work(clocks_of_nonzero);
      T x = 0;
      if (is_own(k)) {
        if (!keeps_) work(clocks_of_read);
        x = whole_[index(k)];
      } else if (keeps_) {
        x = co_await kept(k);
      } else {
        ++reads;
        x = co_await elements_[index(k)].read();
      }
      sum += value_of(e) * x;
    }
    q[index(i)] = sum;
  }

  bool is_own(std::int32_t k) const { return k >= first && k < first + size; }

  task<std::pair<T, T>> two_elements(std::int32_t k, std::int32_t l) {
    if (is_own(k) && is_own(l)) {
      work(clocks_of_two_reads);
      co_return std::pair(whole_[index(k)], whole_[index(l)]);
    }
    if (is_own(k) || is_own(l)) {
      work(clocks_of_read_put_away);
      ++reads;
      const T other = co_await elements_[index(is_own(k) ? l : k)].read();
      co_return is_own(k) ? std::pair(whole_[index(k)], other) : std::pair(other, whole_[index(l)]);
    }
    reads += 2;
    co_return co_await matched_reads<T>(elements_[index(k)], elements_[index(l)]);
  }

  task<T> kept(std::int32_t k) {
    work(clocks_of_presence);
    if (kept_for_[index(k)] != product_) {
      ++reads;
      const T x = co_await elements_[index(k)].read();
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

  std::vector<T> whole_;
  std::int64_t next_row_ = 0;
  bool keeps_ = false, matches_ = false;
  int product_ = 0;
  std::vector<int> kept_for_ = std::vector<int>(index(n));  // the product for which whole_ has the element
  std::vector<std::int32_t> order_;                         // in which a row's elements are taken
  std::vector<global_ptr<T>> wholes_;                       // by PE
  std::vector<std::vector<std::int32_t>> wanted_;           // by PE: the elements of the own block that it refers to
  std::vector<global_ptr<T>> elements_;  // where each element is, so that no division is needed to find it
};

}  // namespace acceptance
