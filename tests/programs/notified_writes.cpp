// Promise: a write with a notification is in place when its function runs, and nothing later of the same PE is; strided
// writes and reads touch their elements and no others; what has been awaited may be changed at once; operations on one
// value from all PEs are each done once, whole. Method: Jacobi's method on a torus that is cut in both directions, with
// rows in one piece and columns in pieces, must give the bits of a serial loop; random writes and reads, in epochs or
// not, are held against a model of what each PE has written; operations whose result does not depend on their order are
// done by all PEs. --seed N.
#include <algorithm>
#include <bit>
#include <deque>
#include <vector>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::notified_writes {

// ---- halos: the edges of step k are written into the neighbours' grid of step k, of which there are two in turns. A
// neighbour writes those of step k + 2 when it has those of step k + 1, which are sent when this PE is done with step
// k.

enum side { above, below_, left, right };
pe_local<tsubu::sync<int>> edges_in[4];  // the steps

void edge_came(side of, int step) { edges_in[of]->write(step); }

double initial(std::size_t r, std::size_t c) { return static_cast<double>((r * 7919 + c * 104'729) % 1000) / 7; }
double new_value(double up, double down, double west, double east) { return 0.25 * ((up + down) + (west + east)); }

// The whole torus on one PE.
std::vector<double> serial(std::size_t rows, std::size_t columns, int steps) {
  std::vector<double> now(rows * columns), next(now.size());
  for (std::size_t i = 0; i < now.size(); ++i) now[i] = initial(i / columns, i % columns);
  for (int step = 0; step < steps; ++step) {
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t up = (r + rows - 1) % rows, down = (r + 1) % rows;
      for (std::size_t c = 0; c < columns; ++c) {
        const std::size_t west = (c + columns - 1) % columns, east = (c + 1) % columns;
        next[r * columns + c] =
            new_value(now[up * columns + c], now[down * columns + c], now[r * columns + west], now[r * columns + east]);
      }
    }
    now.swap(next);
  }
  return now;
}

// This PE's block of `rows` x `columns` cells, with a cell more on each side.
class block {
 public:
  block(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), width_(columns + 2) {
    for (auto& grid : grids_) grid.resize((rows + 2) * width_);
  }
  std::vector<double>& grid(int step) { return grids_[step % 2]; }
  std::size_t at(std::size_t r, std::size_t c) const { return r * width_ + c; }
  std::span<const double> row(int step, std::size_t r) { return {&grid(step)[at(r, 1)], columns_}; }
  strided_span<const double> column(int step, std::size_t c) { return {&grid(step)[at(1, c)], rows_, 1, width_}; }

  void compute(int step) {
    const std::vector<double>& now = grid(step);
    for (std::size_t r = 1; r <= rows_; ++r) {
      for (std::size_t c = 1; c <= columns_; ++c) {
        grid(step + 1)[at(r, c)] =
            new_value(now[at(r - 1, c)], now[at(r + 1, c)], now[at(r, c - 1)], now[at(r, c + 1)]);
      }
    }
  }

 private:
  std::size_t rows_, columns_, width_;
  std::vector<double> grids_[2];
};

task<void> torus(std::size_t rows, std::size_t columns, int steps) {
  std::size_t down_pes = 1;  // the PEs are a torus, too
  for (std::size_t d = 1; d * d <= all_pes().size(); ++d) {
    if (all_pes().size() % d == 0) down_pes = d;
  }
  const std::size_t across_pes = all_pes().size() / down_pes;
  const std::size_t my_row = pe_index() / across_pes, my_column = pe_index() % across_pes;
  const auto pe_at = [=](std::size_t r, std::size_t c) { return r % down_pes * across_pes + c % across_pes; };
  const std::size_t up = pe_at(my_row + down_pes - 1, my_column), down = pe_at(my_row + 1, my_column);
  const std::size_t west = pe_at(my_row, my_column + across_pes - 1), east = pe_at(my_row, my_column + 1);

  block mine(rows, columns);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c)
      mine.grid(0)[mine.at(r + 1, c + 1)] = initial(my_row * rows + r, my_column * columns + c);
  }
  const global_ptr<double> shared[] = {share(std::span(mine.grid(0))), share(std::span(mine.grid(1)))};
  std::vector<global_ptr<double>> all[2];
  for (std::size_t i : {0U, 1U}) all[i] = co_await all_gather(shared[i]);

  const auto place = [&](std::size_t pe, int step, std::size_t r, std::size_t c) {
    return all[step % 2][pe] + mine.at(r, c);
  };
  for (int step = 0; step < steps; ++step) {
    const auto columns_there = [&](std::size_t pe, std::size_t c) {
      return place(pe, step, 1, c).strided(rows, 1, columns + 2);
    };
    co_await when_all(place(up, step, rows + 1, 1).write(mine.row(step, 1)).notify<edge_came>(below_, step),
                      place(down, step, 0, 1).write(mine.row(step, rows)).notify<edge_came>(above, step),
                      columns_there(west, columns + 1).write(mine.column(step, 1)).notify<edge_came>(right, step),
                      columns_there(east, 0).write(mine.column(step, columns)).notify<edge_came>(left, step));
    for (auto& edge : edges_in) expect_equal(co_await edge->read(), step, "the step of an edge");
    mine.compute(step);
  }

  const std::vector<double> wanted = serial(rows * down_pes, columns * across_pes, steps);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      const double found = mine.grid(steps)[mine.at(r + 1, c + 1)];
      const double by_one = wanted[(my_row * rows + r) * columns * across_pes + my_column * columns + c];
      expect(std::bit_cast<std::uint64_t>(found) == std::bit_cast<std::uint64_t>(by_one), "the bits of a serial loop");
    }
  }
  co_await barrier();
  for (const auto& p : shared) unshare(p);
}

// ---- random writes: of the memory on each PE a part is each PE's, which alone writes there and knows what it holds.

constexpr std::size_t elements = 6000;  // of a part

struct memory {
  std::vector<std::uint32_t> values = std::vector<std::uint32_t>(elements * all_pes().size());
  std::vector<std::uint64_t> told = std::vector<std::uint64_t>(all_pes().size());  // notifications, by PE
};
pe_local<memory> here;

std::uint64_t told_by(std::size_t pe) { return here->told[pe]; }

// `index` of what `by` has written is `value` now.
void came(std::size_t by, std::size_t index, std::uint32_t value, std::string words) {
  expect_equal(here->values[by * elements + index], value, "an element when its notification runs");
  expect(words == std::string(index % 40, 'x'), "an argument of a notification");
  ++here->told[by];
}
// A coroutine: what is in place when it begins may have changed when it goes on.
task<void> came_slowly(std::size_t by, std::size_t index, std::uint32_t value) {
  expect_equal(here->values[by * elements + index], value, "an element when its notification runs");
  co_await yield();
  ++here->told[by];
}

// Elements of an array in pieces; several of them, or one.
struct shape {
  std::size_t first = 0, count = 1, length = 1, stride = 1;
  std::size_t size() const { return count * length; }
  std::size_t element(std::size_t i) const { return first + i / length * stride + i % length; }
};
shape random_shape(std::mt19937_64& random, std::size_t size) {
  shape s;
  s.length = size;
  if (below(random, 4) != 0) {
    do s.length = 1 + below(random, size);
    while (size % s.length != 0);
  }
  s.count = size / s.length;
  s.stride = s.length + (s.count == 1 ? 0 : below(random, (elements - size) / s.count + 1));
  s.first = below(random, elements - ((s.count - 1) * s.stride + s.length) + 1);
  return s;
}

class writer {
 public:
  writer(std::mt19937_64& random, const std::vector<global_ptr<std::uint32_t>>& all)
      : random_(random),
        all_(all),
        model_(all_pes().size(), std::vector<std::uint32_t>(elements)),
        told_(all_pes().size()) {}

  task<void> some(int times) {
    for (int i = 0; i < times; ++i) co_await one();
  }

  // All notifications have run.
  task<void> check() {
    for (std::size_t pe = 0; pe < all_pes().size(); ++pe) {
      expect_equal(co_await at(pe).now<told_by>(pe_index()), told_[pe], "the notifications that have run");
      std::vector<std::uint32_t> found(elements);
      co_await all_[pe].read(found);
      expect(found == model_[pe], "what a PE has written there, and no more");
    }
    kept_.clear();
  }

 private:
  task<void> one() {
    const std::size_t pe = below(random_, all_pes().size());
    const std::size_t most = below(random_, 8) == 0 ? 3000 : 60;
    const std::size_t size = 1 + below(random_, most);
    const shape from = random_shape(random_, size), to = random_shape(random_, size);
    const global_ptr<std::uint32_t> first = all_[pe] + to.first;
    const auto there = first.strided(to.count, to.length, to.stride);
    std::vector<std::uint32_t>& own = kept_.emplace_back(elements);
    for (auto& v : own) v = static_cast<std::uint32_t>(random_());
    const strided_span<std::uint32_t> values(&own[from.first], from.count, from.length, from.stride);

    const std::size_t kind = below(random_, 6);
    if (kind == 0) {
      co_await there.read(values);
      for (std::size_t i = 0; i < size; ++i)
        expect_equal(own[from.element(i)], model_[pe][to.element(i)], "an element that is read");
      co_return;
    }
    for (std::size_t i = 0; i < size; ++i) model_[pe][to.element(i)] = own[from.element(i)];
    const std::size_t index = to.element(below(random_, size));
    const std::uint32_t value = model_[pe][index];
    if (kind == 1) {
      co_await there.write(values);
    } else if (kind == 2 && to.count == 1) {
      co_await first.write(values);
    } else if (kind == 3) {
      ++told_[pe];
      co_await there.write(values).notify<came_slowly>(pe_index(), index, value);
    } else {
      ++told_[pe];
      const auto under_way = there.write(values).notify<came>(pe_index(), index, value, std::string(index % 40, 'x'));
      if (kind == 4) co_return;  // its elements are kept
    }
    if (kind != 5 && kind != 2) std::ranges::fill(own, 0xdead'beef);  // awaited
  }

  std::mt19937_64& random_;
  const std::vector<global_ptr<std::uint32_t>>& all_;
  std::vector<std::vector<std::uint32_t>> model_;  // by PE: this one's part there
  std::vector<std::uint64_t> told_;
  std::deque<std::vector<std::uint32_t>> kept_;
};

task<void> random_writes(std::mt19937_64& random) {
  const global_ptr<std::uint32_t> shared = share(std::span(here->values));
  std::vector<global_ptr<std::uint32_t>> all = co_await all_gather(shared);
  for (auto& p : all) p += elements * pe_index();
  writer mine(random, all);
  for (int round = 0; round < 4; ++round) {
    if (round % 2 == 0) {
      co_await mine.some(60);
      co_await quiescence();
    } else {
      auto body = [&mine] { return mine.some(60); };
      co_await epoch(body);
    }
    co_await mine.check();
  }
  co_await barrier();
  unshare(shared);
}

// ---- operations on one value

struct statistics {
  long count = 0, sum = 0, largest = 0;
};
statistics with(statistics all, long value) { return {all.count + 1, all.sum + value, std::max(all.largest, value)}; }
long refuses(long, std::string why) { throw std::runtime_error(why); }
unsigned char halved(unsigned char old, double by) { return static_cast<unsigned char>(old / by); }

template <class T>
task<global_ptr<T>> value_on(std::size_t pe, T begins) {
  global_ptr<T> made;
  if (this_pe() == 0) {
    made = co_await allocate<T>(pe % all_pes().size());
    co_await made.write(begins);
  }
  co_return co_await broadcast(made);
}

task<void> operations() {
  constexpr long rounds = 50;
  const auto bits = co_await value_on<std::uint64_t>(1, 0), all_set = co_await value_on<std::uint64_t>(2, ~0ULL);
  const auto flipped = co_await value_on<std::uint32_t>(0, 0);
  const auto least = co_await value_on<double>(3, 1e9);
  const auto most = co_await value_on<int>(1, -1);
  const auto noted = co_await value_on<statistics>(2, {});
  const auto product = co_await value_on<long>(0, 1);
  const long p = pe_count(), me = this_pe();

  std::uint64_t set_here = 0;
  for (long i = 0; i < rounds; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << (me * rounds + i) % 64;
    set_here += (co_await bits.fetch_or(bit) & bit) == 0 ? 1U : 0U;
    co_await all_set.fetch_and(~bit);
    co_await flipped.fetch_xor(static_cast<std::uint32_t>(me * rounds + i));
    co_await least.fetch_min(static_cast<double>(me * rounds + i) + 0.5);
    expect(co_await most.fetch_max(static_cast<int>(me * rounds + i)) < p * rounds, "a maximum before");
    co_await noted.fetch_apply<with>(me * rounds + i);
    if (i < 3) co_await product.fetch_apply<[](long a, long b) { return a * b; }>(me + 2);
  }
  co_await barrier();
  const long all = p * rounds;
  std::uint64_t bits_of_all = 0;
  std::uint32_t flips = 0;
  long factors = 1;
  for (long n = 0; n < all; ++n) bits_of_all |= std::uint64_t{1} << n % 64, flips ^= static_cast<std::uint32_t>(n);
  for (long pe = 0; pe < p; ++pe) factors *= (pe + 2) * (pe + 2) * (pe + 2);
  expect_equal(co_await bits.read(), bits_of_all, "bits that were set");
  expect_equal(co_await all_reduce(set_here, reduce::plus), static_cast<std::uint64_t>(std::popcount(bits_of_all)),
               "how often a bit was the first");
  expect_equal(co_await all_set.read(), ~bits_of_all, "bits that were cleared");
  expect_equal(co_await flipped.read(), flips, "bits that were flipped");
  expect_equal(co_await least.read(), 0.5, "the least");
  expect_equal(co_await most.read(), all - 1, "the most");
  const statistics found = co_await noted.read();
  expect(found.count == all && found.sum == all * (all - 1) / 2 && found.largest == all - 1, "what all have noted");
  expect_equal(co_await product.read(), factors, "a product of all");

  // By the first operation that a PE has of it.
  const auto small = co_await value_on<unsigned char>(1, 200);
  if (this_pe() == 0) expect_equal(co_await small.fetch_apply<halved>(2), 200, "the value before");
  if (this_pe() == 0) expect_equal(co_await small.fetch_apply<reduce::max>(7), 100, "half of it");
  bool thrown = false;
  try {
    co_await product.fetch_apply<refuses>("no product");
  } catch (const remote_error& e) {
    thrown = e.message() == "no product" && e.pe() == product.pe();
  }
  expect(thrown, "an operation that throws");
  expect_equal(co_await product.read(), factors, "and changes nothing");
}

task<int> program(arguments args) {
  std::mt19937_64 random = seeded(args);
  co_await torus(9, 14, 20);
  co_await torus(1, 1, 5);
  co_await torus(3, 515, 4);  // long rows
  co_await torus(513, 2, 4);  // long columns
  co_await random_writes(random);
  co_await operations();
  co_await barrier();
  co_return 0;
}

const test::joined_program entry("notified_writes", run_spmd, program);

}  // namespace programs::notified_writes
