// The histogram of bale, written as one message per update: at(pe).past<add_one>(counter).
//
// Nothing is packed, sorted or counted by the program. Every 1,024 updates a PE asks whether there is room, which
// lets arrivals in and holds it back while the network is full. The time is that of the slowest PE, from the barrier
// before the first update to the end of all: where PEs share cores, some of them begin long before others.
#include <algorithm>
#include <string>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "bench/report.hpp"
#include "bench/workload.hpp"

namespace {

using namespace tsubu;

pe_local<std::vector<bench::counter>> counters;

void add_one(std::uint32_t counter) { ++(*counters)[counter]; }

constexpr std::size_t block = 1024;

void send(bench::update u) { at(static_cast<pe_id>(u.pe)).past<add_one>(u.counter); }

// Updates that were made beforehand.
class stored_updates {
 public:
  explicit stored_updates(const std::vector<bench::update>& updates) : next_(updates.data()) {}
  void send_some(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) send(next_[i]);
    next_ += count;
  }

 private:
  const bench::update* next_;
};

// Updates that are made as they are sent.
class made_updates {
 public:
  explicit made_updates(bench::update_source source) : source_(source) {}
  void send_some(std::size_t count) {
    bench::update_source source = source_;
    for (std::size_t i = 0; i < count; ++i) send(source.next());
    source_ = source;
  }

 private:
  bench::update_source source_;
};

template <class Updates>
task<void> send_all(Updates updates, std::size_t count) {
  for (std::size_t done = 0; done < count; done += block) {
    updates.send_some(std::min(block, count - done));
    co_await room_everywhere();
  }
}

// The same as of stored_updates, but for where the loop over them stands: here its variables lie in a coroutine's
// frame.
task<void> send_all_here(const bench::update* updates, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    send(updates[i]);
    if (i % block == block - 1) co_await room_everywhere();
  }
}

task<int> program(arguments args) {
  std::int64_t updates = 10'000'000, size = 1000, repetitions = 7;
  std::string targets = "stored", loop = "function";
  if (const auto code = bench::read_options(
          args, "bale's histogram, one message per update",
          {{"--updates", &updates, "of each PE"},
           {"--counters", &size, "of each PE, 8 bytes each"},
           {"--targets", &targets, "stored: random targets are made beforehand; made: as they are used"},
           {"--loop", &loop, "over stored targets: in a function, or in the coroutine that waits for room"},
           {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}}))
    co_return *code;
  const auto me = static_cast<std::uint32_t>(this_pe());
  const auto per_pe = static_cast<std::uint32_t>(size);
  const std::vector<bench::update> mine =
      bench::make_updates(static_cast<std::size_t>(updates), me, static_cast<std::uint32_t>(pe_count()), per_pe);
  counters->resize(per_pe);

  std::vector<double> seconds, seconds_here, ticks_each;
  bool verified = true;
  for (std::int64_t repetition = 0; repetition <= repetitions; ++repetition) {
    std::fill(counters->begin(), counters->end(), 0);
    co_await barrier();
    const bench::stopwatch watch;
    if (targets == "made") {
      co_await send_all(made_updates(bench::update_source(me, static_cast<std::uint32_t>(pe_count()), per_pe)),
                        mine.size());
    } else if (loop == "coroutine") {
      co_await send_all_here(mine.data(), mine.size());
    } else {
      co_await send_all(stored_updates(mine), mine.size());
    }
    co_await quiescence();
    const double time_here = watch.seconds();
    const double ticks_here = watch.ticks_taken();
    const double time = co_await all_reduce(time_here, reduce::max);
    const double ticks_taken = co_await all_reduce(ticks_here, reduce::max);
    const bench::histogram_sums sent = bench::sums_of_updates(mine, per_pe),
                                held = bench::sums_of_counters(*counters, me);
    const auto updates_missing = co_await all_reduce(sent.updates - held.updates, reduce::plus);
    const auto places_missing = co_await all_reduce(sent.places - held.places, reduce::plus);
    verified = verified && updates_missing == 0 && places_missing == 0;
    if (repetition == 0) continue;
    seconds.push_back(time);
    seconds_here.push_back(time_here);
    ticks_each.push_back(ticks_taken / static_cast<double>(updates));
  }
  if (me == 0) {
    bench::result_line line("histogram");
    line.add("transport", transport_name()).add("pes", pe_count()).add("updates", updates).add("counters", size);
    line.add("verified", verified);
    if (verified) {
      const bench::summary times = bench::summarize(seconds);
      line.add("seconds", times.median).add("updates_per_second_and_pe", static_cast<double>(updates) / times.median);
      line.add("seconds_of_pe_0", bench::summarize(seconds_here).median);
      line.add("ticks_per_update", bench::summarize(ticks_each).median).add(times);
    }
    line.print();
  }
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
