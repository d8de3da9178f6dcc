// When combining at the source pays: bale's histogram, of whose updates some go to a few counters, sent one by one with
// past<>, and with past_combining<>.
#include <algorithm>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "bench/report.hpp"
#include "bench/workload.hpp"
#include "tsubu/message/ledger.hpp"

namespace {

using namespace tsubu;

pe_local<std::vector<bench::counter>> counters;

void add(std::uint32_t counter, std::uint32_t n) { (*counters)[counter] += n; }

void send_updates(const bench::update* updates, std::size_t count, bool combining) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto to = at(static_cast<pe_id>(updates[i].pe));
    if (combining) {
      to.past_combining<add>(updates[i].counter, 1U);
    } else {
      to.past<add>(updates[i].counter, 1U);
    }
  }
}

task<void> send_all(const std::vector<bench::update>& updates, bool combining) {
  constexpr std::size_t block = 1024;
  for (std::size_t done = 0; done < updates.size(); done += block) {
    send_updates(updates.data() + done, std::min(block, updates.size() - done), combining);
    co_await room_everywhere();
  }
}

task<int> program(arguments args) {
  std::int64_t updates = 5'000'000, size = 100'000, hot = 90, hot_counters = 64, repetitions = 5;
  if (const auto code = bench::read_options(
          args, "a skewed histogram, with and without combining",
          {{"--updates", &updates, "of each PE"},
           {"--counters", &size, "of each PE, 8 bytes each"},
           {"--hot", &hot, "per cent of the updates that go to the hot counters"},
           {"--hot-counters", &hot_counters, "of each PE"},
           {"--repetitions", &repetitions, "timed runs of each kind, in turns, after one untimed"}}))
    co_return *code;
  const auto me = static_cast<std::uint32_t>(this_pe());
  const auto per_pe = static_cast<std::uint32_t>(size);
  std::vector<bench::update> mine =
      bench::make_updates(static_cast<std::size_t>(updates), me, static_cast<std::uint32_t>(pe_count()), per_pe);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const bool is_hot = static_cast<std::int64_t>(i * 2'654'435'761 % 100) < hot;
    if (is_hot) mine[i].counter %= static_cast<std::uint32_t>(hot_counters);
  }
  counters->resize(per_pe);

  const message::counters& counted = remote::current_pe->messages.counted();
  std::vector<double> seconds[2];
  std::uint64_t packets[2] = {};
  bool verified = true;
  for (std::int64_t repetition = 0; repetition <= repetitions; ++repetition) {
    for (const bool combining : {false, true}) {
      std::fill(counters->begin(), counters->end(), 0);
      co_await barrier();
      const std::uint64_t before = counted.packets_sent;
      const bench::stopwatch watch;
      co_await send_all(mine, combining);
      co_await quiescence();
      const double time = watch.seconds();
      packets[combining ? 1 : 0] = counted.packets_sent - before;
      const bench::histogram_sums sent = bench::sums_of_updates(mine, per_pe),
                                  held = bench::sums_of_counters(*counters, me);
      const auto updates_missing = co_await all_reduce(sent.updates - held.updates, reduce::plus);
      const auto places_missing = co_await all_reduce(sent.places - held.places, reduce::plus);
      verified = verified && updates_missing == 0 && places_missing == 0;
      if (repetition != 0) seconds[combining ? 1 : 0].push_back(time);
    }
  }
  if (me == 0) {
    bench::result_line line("combining");
    line.add("transport", transport_name()).add("pes", pe_count()).add("updates", updates).add("counters", size);
    line.add("hot", hot).add("hot_counters", hot_counters).add("verified", verified);
    if (verified) {
      const double plain = bench::summarize(seconds[0]).median, combined = bench::summarize(seconds[1]).median;
      line.add("updates_per_second_and_pe", static_cast<double>(updates) / combined);
      line.add("not_combined", static_cast<double>(updates) / plain).add("ratio", plain / combined);
      line.add("packets_an_update", static_cast<double>(packets[1]) / static_cast<double>(updates));
    }
    line.print();
  }
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
