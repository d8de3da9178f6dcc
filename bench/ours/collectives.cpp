// What each collective takes, and a quiescence() that all wait for: the time of a call, on the PE that takes longest,
// and the batches that a PE posts for it, on the average. A line for each, or for those that --only names by number,
// with values of --bytes bytes.
#include <cstring>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "tsubu/message/ledger.hpp"

namespace {

using namespace tsubu;

// Values of every shape, so that algorithms for those of one size and for others are both seen.
struct calls {
  std::vector<std::int32_t> ints = std::vector<std::int32_t>(static_cast<std::size_t>(pe_count()), this_pe());
  std::vector<std::vector<char>> rows;
  std::vector<char> row;
  std::vector<double> doubles;

  explicit calls(std::size_t bytes) : row(bytes, 'x'), doubles(std::max<std::size_t>(bytes / sizeof(double), 1), 1.0) {
    rows.assign(static_cast<std::size_t>(pe_count()), row);
  }
};

constexpr const char* names[] = {"barrier",          "all_reduce_double", "scan_double",      "broadcast_int",
                                 "gather_int",       "all_gather_int",    "all_to_all_int",   "all_to_all_bytes",
                                 "all_gather_bytes", "gather_bytes",      "all_reduce_bytes", "broadcast_bytes",
                                 "quiescence"};

task<void> call_once(int which, calls& of) {
  switch (which) {
    case 0:
      co_await barrier();
      break;
    case 1:
      co_await all_reduce(1.0, reduce::plus);
      break;
    case 2:
      co_await scan(1.0, reduce::plus);
      break;
    case 3:
      co_await broadcast(1);
      break;
    case 4:
      co_await gather(this_pe());
      break;
    case 5:
      co_await all_gather(this_pe());
      break;
    case 6:
      co_await all_to_all(of.ints);
      break;
    case 7:
      co_await all_to_all(of.rows);
      break;
    case 8:
      co_await all_gather(of.row);
      break;
    case 9:
      co_await gather(of.row);
      break;
    case 10:
      co_await all_reduce(of.doubles, reduce::plus);
      break;
    case 11:
      of.row = co_await broadcast(std::move(of.row));  // into the same memory, as MPI_Bcast()
      break;
    case 12:
      co_await quiescence();
      break;
    default:
      break;
  }
}

task<int> program(arguments args) {
  std::int64_t rounds = 5, bytes = 1024, only = -1;
  if (const auto code = bench::read_options(args, "time and batches of collectives",
                                            {{"--rounds", &rounds, "calls, after one that does not count"},
                                             {"--bytes", &bytes, "of a value, where it is a vector"},
                                             {"--only", &only, "the number of one, from 0; all if left out"}}))
    co_return *code;
  calls of(static_cast<std::size_t>(bytes));
  for (int which = 0; which < static_cast<int>(std::size(names)); ++which) {
    if (only >= 0 && which != only) continue;
    co_await call_once(which, of);
    co_await barrier();
    std::vector<double> us;
    double batches = 0;
    for (std::int64_t r = 0; r < rounds; ++r) {
      co_await barrier();
      const std::uint64_t batches_first = remote::current_pe->messages.counted().batches_sent;
      const bench::stopwatch watch;
      co_await call_once(which, of);
      const double mine_us = watch.seconds() * 1e6;
      const std::uint64_t posted = remote::current_pe->messages.counted().batches_sent - batches_first;
      batches += co_await all_reduce(static_cast<double>(posted), reduce::plus);
      us.push_back(co_await all_reduce(mine_us, reduce::max));
    }
    if (this_pe() != 0) continue;
    const bench::summary each = bench::summarize(us);
    bench::result_line line(names[which]);
    line.add("transport", transport_name()).add("pes", pe_count()).add("bytes", bytes);
    line.add("us", each.median).add("us_min", each.min);
    line.add("batches_of_pe", batches / static_cast<double>(rounds) / pe_count()).add("rounds", rounds);
    line.print();
  }
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
