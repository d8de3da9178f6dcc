// What it costs to find out that nothing is left to do: messages of quiescence for each PE but one, and time.
//
// In each round a token visits all PEs in a random order and ends on PE 0, so that PE 0 knows how many waves had begun
// when the last handler ran. Those that begin after it are the detection; the last of the waves tells its end. A wave
// sends the same number of messages each time, which is checked against the packets that the PEs have counted.
#include <algorithm>
#include <numeric>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "tsubu/base/random.hpp"
#include "tsubu/message/ledger.hpp"

namespace {

using namespace tsubu;

struct last_handler {
  std::uint32_t waves = 0;
  std::int64_t ns = 0;
};
pe_local<last_handler> last;

void visit(std::vector<pe_id> rest) {
  if (!rest.empty()) {
    const pe_id next = rest.back();
    rest.pop_back();
    at(next).past<visit>(std::move(rest));
    return;
  }
  last->waves = remote::current_pe->quiescence.waves();
  last->ns = now_ns();
}

// The runtime's own packets that this PE has sent, as far as their runs are closed.
std::uint64_t control_packets() {
  const message::endpoint& messages = remote::current_pe->messages;
  return messages.counted().packets_sent - messages.sent();
}

task<int> program(arguments args) {
  std::int64_t rounds = 300;
  if (const auto code = bench::read_options(args, "messages of quiescence",
                                            {{"--rounds", &rounds, "detections, after one that does not count"}}))
    co_return *code;
  random_source random(1);
  std::vector<pe_id> ways(static_cast<std::size_t>(pe_count() - 1));
  std::iota(ways.begin(), ways.end(), 1);
  ways.insert(ways.begin(), 0);
  std::vector<double> waves_each, ns_each;
  const auto all_control = [] { return everywhere().now<control_packets>(reduce::plus); };
  co_await quiescence();
  const std::uint32_t waves_first = remote::current_pe->quiescence.waves();
  const std::uint64_t control_first = co_await all_control();
  for (std::int64_t r = 0; r <= rounds; ++r) {
    for (std::size_t i = ways.size(); i > 2; --i) std::swap(ways[i - 1], ways[1 + random.below(i - 1)]);
    at(0).past<visit>(ways);
    co_await quiescence();
    if (r == 0) continue;
    waves_each.push_back(remote::current_pe->quiescence.waves() - last->waves);
    ns_each.push_back(static_cast<double>(now_ns() - last->ns));
  }
  const std::uint64_t waves = remote::current_pe->quiescence.waves() - waves_first;
  // A wave may have been under way when the packets were counted first, and another when they are counted last.
  co_await quiescence();
  const std::uint64_t control = co_await all_control() - control_first;
  const std::uint64_t waves_at_last = remote::current_pe->quiescence.waves() - waves_first;
  const auto others = static_cast<std::uint64_t>(pe_count() - 1);
  const auto releases = static_cast<std::uint64_t>(rounds + 2);
  const bool verified =
      control + 2 * others >= others * (2 * waves + releases) && control <= others * (2 * waves_at_last + 2 + releases);
  const bench::summary each = bench::summarize(waves_each);
  bench::result_line line("quiescence");
  line.add("transport", transport_name()).add("pes", pe_count()).add("verified", verified);
  line.add("messages_each", 2 * each.max).add("messages_each_median", 2 * each.median);
  line.add("waves_of_a_round", static_cast<double>(waves) / static_cast<double>(rounds + 1));
  line.add("detection_ns", bench::summarize(ns_each).median).add("rounds", rounds);
  line.print();
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
