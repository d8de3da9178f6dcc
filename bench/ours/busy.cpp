// A PE that computes for long, while another one asks it now and then: how long an answer takes, where the one that
// computes yields after each piece of its work, as a program does that wants to answer.
//
// PE 1 computes in pieces of --piece microseconds; PE 0 asks it at random times. Told are the middle of the answers'
// times and the one that 99 of 100 stay below, in pieces.
#include <algorithm>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "bench/workload.hpp"

namespace {

using namespace tsubu;

struct state {
  bool stop = false;
};
pe_local<state> here;

std::int64_t answer(std::int64_t x) { return x + 1; }
void stop_computing() { here->stop = true; }

void compute_for(std::int64_t ns) {
  const std::int64_t end_ns = now_ns() + ns;
  while (now_ns() < end_ns) {
  }
}

task<void> compute(std::int64_t piece_ns) {
  while (!here->stop) {
    compute_for(piece_ns);
    co_await yield();
  }
}

task<int> program(arguments args) {
  std::int64_t piece_us = 100, questions = 5'000;
  if (const auto code = bench::read_options(args, "questions to a PE that computes",
                                            {{"--piece", &piece_us, "microseconds that it computes between two yields"},
                                             {"--questions", &questions, "to it"}}))
    co_return *code;
  require(pe_count() == 2, "one PE that computes and one that asks are 2, not {}", pe_count());
  future<void> computing = at(1).future<compute>(piece_us * 1000);
  std::vector<double> pieces;
  bool verified = true;
  bench::random_source random(7);
  for (std::int64_t i = 0; i < questions; ++i) {
    compute_for(static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(piece_us * 2000)));
    const std::int64_t asked_ns = now_ns();
    verified = co_await at(1).now<answer>(i) == i + 1 && verified;
    pieces.push_back(static_cast<double>(now_ns() - asked_ns) / 1e3 / static_cast<double>(piece_us));
  }
  at(1).past<stop_computing>();
  co_await std::move(computing);
  std::sort(pieces.begin(), pieces.end());
  bench::result_line line("busy");
  line.add("transport", transport_name()).add("pes", pe_count()).add("verified", verified);
  if (verified)
    line.add("median_pieces", pieces[pieces.size() / 2]).add("late_pieces", pieces[pieces.size() * 99 / 100]);
  line.print();
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
