// Promise: a shared array four times as large as the memory that --tsubu-data-memory allows gives the same results as
// in memory. Method: a histogram of skewed updates over it, whose sums are known; then a row after the other is read by
// another PE than its home, written, and read again.
#include <numeric>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::out_of_core {

// --elements N of each PE, 131,072 by default: 1 MiB.
task<int> program(arguments args) {
  std::mt19937_64 random = seeded(args);
  const std::size_t size = option(args, "--elements", 131'072) * static_cast<std::size_t>(pe_count());
  const std::size_t updates = option(args, "--updates", 50'000);
  auto bins = co_await create_shared_array(size, by_block(), protocol::global, std::uint64_t{0});
  std::vector<std::uint64_t> probe(1000);
  for (std::size_t i = 0; i < updates; ++i) {
    const std::size_t at = i % 2 == 0 ? below(random, size) : i * i % size;  // some all over, some in places
    co_await bins[at].add(at);
    ++probe[at % probe.size()];
  }
  co_await quiescence();

  std::vector<std::uint64_t> row(4096);
  std::uint64_t sum = 0, found = 0;
  const std::size_t rows = size / row.size();
  for (std::size_t r = static_cast<std::size_t>(this_pe() + 1); r <= rows; r += static_cast<std::size_t>(pe_count())) {
    const std::size_t first = (r % rows) * row.size();
    co_await bins.read(first, std::span<std::uint64_t>(row));
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (first + i == 0) continue;
      expect(row[i] % (first + i) == 0, "a bin holds multiples of its own number");
      found += row[i] / (first + i);
      row[i] = first + i + 1;
    }
    co_await bins.write(first, std::span<const std::uint64_t>(row));
    sum += row.size();
  }
  const std::uint64_t all = co_await all_reduce(found, reduce::plus);
  const std::uint64_t made = updates * static_cast<std::uint64_t>(pe_count());
  expect(all <= made && all + 2 * static_cast<std::uint64_t>(pe_count()) + made / 1000 >= made,
         "all updates but those of bin 0");
  expect_equal(co_await all_reduce(sum, reduce::plus), rows * row.size(), "the elements that were read");
  co_await barrier();
  std::vector<std::size_t> here;
  bins.for_each_here([&](std::size_t i) { here.push_back(i); });
  for (const std::size_t i : here) {
    expect(co_await bins[i].read() == i + 1 || i == 0 || i >= rows * row.size(), "what was written");
  }
  co_await bins.end();
  co_return 0;
}

const test::joined_program entry("out_of_core", run_spmd, program);

}  // namespace programs::out_of_core
