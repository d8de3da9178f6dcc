// Promise: arrays larger than what the process may map, by RLIMIT_AS, give the results that they would give in memory,
// and the process stays as small as --tsubu-data-memory says. Method: from where the arrays are made, the process may
// map --room MiB more, which is less than the arrays of one PE need; its peak of resident memory may grow by no more. A
// histogram and a Jacobi iteration are then run. What they should give is computed piece by piece, without arrays.
#include <sys/resource.h>

#include <array>
#include <fstream>

#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

std::size_t mapped_now() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * 4096;
}

std::size_t most_resident() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<std::size_t>(used.ru_maxrss) * 1024;
}

// What the process may still map, from here on.
void bound(std::size_t room) {
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = mapped_now() + room;
  expect(setrlimit(RLIMIT_AS, &limit) == 0, "the process can be bounded");
}

// Which bin PE `pe` counts up in its step i: all over, and often a few.
std::size_t bin(std::mt19937_64& random, std::size_t bins, std::size_t i) {
  return i % 4 == 0 ? i * i % bins : below(random, bins);
}
std::mt19937_64 updates_of(pe_id pe, std::uint64_t seed) {
  return std::mt19937_64(seed * 1000 + static_cast<std::uint64_t>(pe));
}

task<void> histogram(std::size_t bytes_of_a_pe, std::size_t updates, std::uint64_t seed) {
  const std::size_t size = bytes_of_a_pe / sizeof(long) * static_cast<std::size_t>(pe_count());
  auto bins = co_await create_shared_array(size, by_block(), protocol::global, 0L);
  std::mt19937_64 random = updates_of(this_pe(), seed);
  for (std::size_t i = 0; i < updates; ++i) co_await bins[bin(random, size, i)].add(1);
  co_await quiescence();

  std::vector<long> found(mib / 8 / sizeof(long)), wanted(found.size());
  const std::size_t pieces = size / found.size();
  for (auto piece = static_cast<std::size_t>(this_pe()); piece < pieces;
       piece += static_cast<std::size_t>(pe_count())) {
    std::fill(wanted.begin(), wanted.end(), 0L);
    for (pe_id pe = 0; pe < pe_count(); ++pe) {
      std::mt19937_64 theirs = updates_of(pe, seed);
      for (std::size_t i = 0; i < updates; ++i) {
        const std::size_t at = bin(theirs, size, i) - piece * found.size();
        if (at < found.size()) ++wanted[at];
      }
    }
    co_await bins.read(piece * found.size(), std::span<long>(found));
    expect(found == wanted, "piece " + std::to_string(piece) + " of the histogram is that of the updates");
  }
  co_await bins.end();
}

constexpr std::size_t columns = 512;
using row = std::array<double, columns>;

double at_first(std::size_t i, std::size_t j) { return static_cast<double>((i * 37 + j * 101) % 1009); }
row first_row(std::size_t i) {
  row r;
  for (std::size_t j = 0; j < columns; ++j) r[j] = at_first(i, j);
  return r;
}
row relaxed(const row& above, const row& here, const row& below) {
  row r = here;
  for (std::size_t j = 1; j + 1 < columns; ++j) r[j] = (above[j] + below[j] + here[j - 1] + here[j + 1]) / 4;
  return r;
}

// Rows begin to end - 1 after some sweeps: they depend on as many rows more on each side.
std::vector<row> jacobi_of_rows(std::size_t begin, std::size_t end, std::size_t rows, std::size_t sweeps) {
  std::size_t first = begin - std::min(begin, sweeps), last = std::min(end + sweeps, rows);
  std::vector<row> now;
  for (std::size_t i = first; i < last; ++i) now.push_back(first_row(i));
  for (std::size_t s = 0; s < sweeps; ++s) {
    std::vector<row> next = now;
    for (std::size_t k = 1; k + 1 < now.size(); ++k) next[k] = relaxed(now[k - 1], now[k], now[k + 1]);
    now = std::move(next);
  }
  return {now.begin() + static_cast<std::ptrdiff_t>(begin - first),
          now.begin() + static_cast<std::ptrdiff_t>(end - first)};
}

task<void> jacobi(std::size_t bytes_of_a_pe, std::size_t sweeps) {
  const std::size_t mine = bytes_of_a_pe / 2 / sizeof(row), rows = mine * static_cast<std::size_t>(pe_count());
  auto now = co_await create_shared_array(rows, by_block(), protocol::update, row{});
  auto next = co_await create_shared_array(rows, by_block(), protocol::update, row{});
  const std::size_t begin = static_cast<std::size_t>(this_pe()) * mine, end = begin + mine;
  for (std::size_t i = begin; i < end; ++i) co_await now[i].write(first_row(i));
  co_await barrier();
  for (std::size_t s = 0; s < sweeps; ++s) {
    for (std::size_t i = begin; i < end; ++i) {
      const row here = co_await now[i].read();
      if (i == 0 || i + 1 == rows) {
        co_await next[i].write(here);
        continue;
      }
      const row above = co_await now[i - 1].read(), below = co_await now[i + 1].read();
      co_await next[i].write(relaxed(above, here, below));
    }
    co_await barrier();
    std::swap(now, next);
  }
  constexpr std::size_t piece = 64;
  for (std::size_t i = begin; i < end; i += piece) {
    const std::vector<row> wanted = jacobi_of_rows(i, std::min(i + piece, end), rows, sweeps);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      expect(co_await now[i + k].read() == wanted[k], "row " + std::to_string(i + k) + " is what the sweeps make it");
    }
  }
  co_await now.end();
  co_await next.end();
}

// --data MIB of each PE, --room MIB of the process, --updates and --sweeps.
task<int> program(arguments args) {
  const std::size_t data = option(args, "--data", 16) * mib, room = option(args, "--room", 12) * mib;
  const std::uint64_t seed = option(args, "--seed", 1);
  if (this_pe() == 0) std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  expect(room < data, "--room is less than what the arrays of one PE need");
  co_await barrier();
  const std::size_t resident = most_resident();
  bound(room);
  co_await barrier();
  co_await histogram(data, option(args, "--updates", 4000), seed);
  co_await jacobi(data, option(args, "--sweeps", 3));
  co_await barrier();
  const std::size_t grown = most_resident() - resident;
  expect(grown < room,
         "the process has grown by less than " + std::to_string(room) + " bytes; it was by " + std::to_string(grown));
  std::printf("PE %d: %zu MiB of arrays at a time, %zu KiB of memory more than before\n", this_pe(), data / mib,
              grown / 1024);
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
