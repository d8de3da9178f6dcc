// Row U15, memory that overflows: an array whose elements all have their home on PE 0, of 32 blocks of 64 KiB, with
// --tsubu-data-memory as the run is given it. All PEs add to random elements, then read them all in turn. Prints
// "SEEN what number": the digest of the values, the nanoseconds, and how many blocks went to other PEs, and to the
// file.
#include <cstdio>
#include <vector>

#include "tsubu/base/random.hpp"
#include "tsubu/data/arrays/loans.hpp"
#include "tsubu/data/space.hpp"
#include "tsubu/tsubu.hpp"

using namespace tsubu;

namespace {

constexpr std::size_t in_a_block = data::block_store::block_bytes / sizeof(std::uint64_t), blocks = 32;

pe_id on_first(std::size_t, std::size_t) { return 0; }
using cells = shared_array<std::uint64_t, by_map<on_first>>;

task<std::uint64_t> use(cells all) {
  random_source random(static_cast<std::uint64_t>(this_pe()) + 1);
  for (int i = 0; i < 4000; ++i) {
    const std::size_t at = random.below(all.size());
    co_await all[at].add(random.below(100));
  }
  co_await quiescence();
  std::vector<std::uint64_t> row(in_a_block);
  std::uint64_t digest = 0;
  for (auto b = static_cast<std::size_t>(this_pe()); b < blocks; b += static_cast<std::size_t>(pe_count())) {
    co_await all.read(b * in_a_block, std::span(row));
    for (std::size_t i = 0; i < row.size(); ++i) digest += row[i] * (b * in_a_block + i + 1);
  }
  co_return digest;
}

task<void> print(const char* what, std::uint64_t here) {
  const std::uint64_t all = co_await all_reduce(here, reduce::plus);
  if (this_pe() == 0) std::printf("SEEN %s %llu\n", what, static_cast<unsigned long long>(all));
}

task<int> program(arguments) {
  const cells all =
      co_await create_shared_array(blocks * in_a_block, by_map<on_first>(), protocol::global, std::uint64_t{0});
  co_await barrier();
  const std::int64_t start_ns = now_ns();
  const std::uint64_t digest = co_await use(all);
  co_await barrier();
  const std::int64_t taken_ns = now_ns() - start_ns;
  co_await print("digest", digest);
  co_await print("ns", this_pe() == 0 ? static_cast<std::uint64_t>(taken_ns) : 0);
  co_await print("to_others", data::this_space().lent->blocks_lent());
  co_await print("to_file", data::this_space().memory.blocks_written());
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
