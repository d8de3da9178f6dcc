// Promise: each collective gives what its declaration says, for any number of PEs, with single values,
// strings, vectors and vectors of varying size; operations are applied in the order of the PEs
// unless they commute (text is joined, and matrices are multiplied, which do not); many may follow each other without a
// barrier.
#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::collectives {

struct join_op {
  std::string operator()(std::string a, std::string b) const { return std::move(a) + std::move(b); }
};

// A matrix product: associative, not commutative.
struct two_by_two {
  std::uint32_t a = 1, b = 0, c = 0, d = 1;
  bool operator==(const two_by_two&) const = default;
};
struct product_op {
  two_by_two operator()(two_by_two x, two_by_two y) const {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  }
};
two_by_two matrix_of(pe_id pe) {
  return {1, static_cast<std::uint32_t>(pe + 1), static_cast<std::uint32_t>(pe % 3), 1};
}

std::string name_of(pe_id pe) { return "<" + std::to_string(pe) + ">"; }
std::string names(pe_id first, pe_id count) {
  std::string all;
  for (pe_id i = 0; i < count; ++i) all += name_of((first + i) % pe_count());
  return all;
}

task<void> rooted(pe_id root) {
  const pe_id me = this_pe(), p = pe_count();
  // Named: g++ 12 destroys both sides of a conditional in an awaited expression.
  std::string said = me == root ? "from " + name_of(root) : std::string();
  said = co_await broadcast(std::move(said), root);
  expect(said == "from " + name_of(root), "broadcast of a string");
  std::vector<long> big;
  if (me == root) big.assign(5000, root);
  big = co_await broadcast(std::move(big), root);
  expect(big == std::vector<long>(5000, root), "broadcast of a vector");

  const std::string all = co_await reduce_to(root, name_of(me), join_op{});
  if (me == root) expect(all == names(0, p), "reduce joins in the order of the PEs: " + all);
  const auto most_of_both = reduce::commuting([](long a, long b) { return a > b ? a : b; });
  const long last = co_await reduce_to(root, long{me}, most_of_both);
  if (me == root) expect_equal(last, p - 1, "reduce by an operation that commutes");
  const two_by_two product = co_await reduce_to(0, matrix_of(me), product_op{});
  two_by_two wanted;
  for (pe_id pe = 0; pe < p; ++pe) wanted = product_op{}(wanted, matrix_of(pe));
  if (me == 0) expect(product == wanted, "reduce of matrices");

  const std::vector<std::string> gathered = co_await gather(name_of(me), root);
  expect_equal(gathered.size(), me == root ? static_cast<std::size_t>(p) : 0, "values gathered");
  for (std::size_t i = 0; i < gathered.size(); ++i)
    expect(gathered[i] == name_of(static_cast<pe_id>(i)), "a value gathered");
}

task<void> symmetric(long round) {
  const pe_id me = this_pe();
  const long p = pe_count(), mine = me + round;
  expect_equal(co_await all_reduce(mine, reduce::plus), p * (p - 1) / 2 + round * p, "all_reduce, a sum");
  expect_equal(co_await all_reduce(mine, reduce::min), round, "all_reduce, a minimum");
  expect_equal(co_await all_reduce(mine, reduce::max), round + p - 1, "all_reduce, a maximum");
  expect(!co_await all_reduce(me != 0, reduce::all), "all_reduce, all");
  expect(co_await all_reduce(me == p - 1, reduce::any), "all_reduce, any");
  const std::vector<double> column(static_cast<std::size_t>(100 + round), 0.1 * me);
  const std::vector<double> sums = co_await all_reduce(column, reduce::plus);
  const std::vector<std::vector<double>> everyones = co_await all_gather(sums);
  for (const auto& other : everyones) expect(other == sums, "all_reduce gives the same bits everywhere");

  const std::string joined = co_await all_reduce(name_of(me), join_op{});
  expect(joined == names(0, pe_count()), "all_reduce joins in the order of the PEs: " + joined);
  std::vector<two_by_two> products(static_cast<std::size_t>(1 + 100 * round), matrix_of(me));  // long ones, too
  products = co_await all_reduce(std::move(products), product_op{});
  two_by_two all;
  for (pe_id pe = 0; pe < p; ++pe) all = product_op{}(all, matrix_of(pe));
  for (const two_by_two& product : products) expect(product == all, "all_reduce multiplies in the order of the PEs");

  expect_equal(co_await scan(mine + 1, reduce::plus), long{me} * (me + 1) / 2 + (round + 1) * (me + 1), "scan");
  expect(co_await scan(name_of(me), join_op{}) == names(0, me + 1), "scan joins in the order of the PEs");
  two_by_two prefix;
  for (pe_id pe = 0; pe <= me; ++pe) prefix = product_op{}(prefix, matrix_of(pe));
  expect(co_await scan(matrix_of(me), product_op{}) == prefix, "scan of matrices");

  const std::vector<long> values = co_await all_gather(mine);
  for (long pe = 0; pe < p; ++pe) expect_equal(values[static_cast<std::size_t>(pe)], pe + round, "all_gather");

  std::vector<std::vector<int>> rows(static_cast<std::size_t>(p));
  for (pe_id to = 0; to < p; ++to) {
    rows[static_cast<std::size_t>(to)].assign(static_cast<std::size_t>((to * 7 + me * 3 + round) % 50), me * 1000 + to);
  }
  rows = co_await all_to_all(std::move(rows));
  for (pe_id from = 0; from < p; ++from) {
    const auto size = static_cast<std::size_t>((me * 7 + from * 3 + round) % 50);
    expect(rows[static_cast<std::size_t>(from)] == std::vector<int>(size, from * 1000 + me),
           "all_to_all of varying sizes");
  }
}

pe_local<long> clock_of_pe;

// Nobody leaves a barrier before everybody has entered it.
task<void> barriers() {
  const pe_id next = (this_pe() + 1) % pe_count();
  for (long round = 1; round <= 50; ++round) {
    *clock_of_pe = round;
    if ((this_pe() + round) % 4 == 0) co_await sleep_for(std::chrono::microseconds(50));
    co_await barrier();
    const long there = co_await at(next).now([] { return *clock_of_pe; });
    expect(there == round || there == round + 1, "a neighbour's round after a barrier");
    co_await barrier();
  }
}

// Two tasks of a PE may each be in a collective, as long as they begin in the same order everywhere.
task<void> at_once() {
  auto sums = co_await when_all(all_reduce(long{1}, reduce::plus), scan(long{1}, reduce::plus), all_gather(this_pe()));
  expect_equal(std::get<0>(sums), pe_count(), "all_reduce beside others");
  expect_equal(std::get<1>(sums), this_pe() + 1, "scan beside others");
  expect_equal(std::get<2>(sums).size(), static_cast<std::size_t>(pe_count()), "all_gather beside others");
}

task<int> program(arguments) {
  for (pe_id root = 0; root < pe_count(); ++root) co_await rooted(root);
  for (long round = 0; round < 20; ++round) co_await symmetric(round);
  co_await barriers();
  for (int i = 0; i < 20; ++i) co_await at_once();
  // The last ones may still be on their way when the first PE's program returns.
  co_await barrier();
  co_return 0;
}

const test::joined_program entry("collectives", run_spmd, program);

}  // namespace programs::collectives
