// The histogram of bale: every PE adds 1 to random counters of a table that is spread over all PEs, by one message
// each.
//
// Source: Maley, DeVinney, bale 3.0 (histo), 2020.
#include <fmt/core.h>
#include <algorithm>
#include <cstdint>
#include <vector>

#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/random_stream.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

struct options {
  std::int64_t updates = 50'000'000;
  std::int64_t counters = 1000;
  std::uint64_t seed = 1;
  bool json = false;
};

pe_local<std::vector<std::uint64_t>> counters_here;

void add_one(std::uint32_t counter) { ++(*counters_here)[counter]; }

// The updates of one PE, made one by one.
class update_source {
 public:
  update_source(const options& asked, pe_id pe)
      : random_(program::random_stream(asked.seed, pe)),
        pes_(static_cast<std::uint64_t>(pe_count())),
        counters_(static_cast<std::uint64_t>(asked.counters)) {}

  struct update {
    pe_id pe;
    std::uint32_t counter;
  };
  update next() {
    // The halves of a random number give PE and counter, by multiplication.
    const std::uint64_t r = random_();
    return {static_cast<pe_id>(((r >> 32) * pes_) >> 32),
            static_cast<std::uint32_t>(((r & 0xffffffff) * counters_) >> 32)};
  }

 private:
  random_source random_;
  std::uint64_t pes_;
  std::uint64_t counters_;
};

void send_updates(update_source& source, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const update_source::update update = source.next();
    at(update.pe).past<add_one>(update.counter);
  }
}

// Sums over the whole job that agree if every update arrived once, and at its counter.
struct sums {
  std::uint64_t updates = 0;
  std::uint64_t places = 0;

  void add(std::uint64_t times, pe_id pe, std::uint64_t counter) {
    updates += times;
    places += times * program::mixed((static_cast<std::uint64_t>(pe) << 32) + counter);
  }
};

// Made from the seed again, without messages.
sums sums_of_updates(const options& asked) {
  sums sent;
  update_source source(asked, this_pe());
  for (std::int64_t i = 0; i < asked.updates; ++i) {
    const update_source::update update = source.next();
    sent.add(1, update.pe, update.counter);
  }
  return sent;
}

sums sums_of_counters() {
  sums held;
  for (std::size_t i = 0; i < counters_here->size(); ++i) held.add((*counters_here)[i], this_pe(), i);
  return held;
}

// Collective; the same on every PE.
task<bool> verify(options asked) {
  const sums sent = sums_of_updates(asked), held = sums_of_counters();
  const std::uint64_t updates = co_await all_reduce(sent.updates - held.updates, reduce::plus);
  const std::uint64_t places = co_await all_reduce(sent.places - held.places, reduce::plus);
  co_return updates == 0 && places == 0;
}

// Collective. Returns the exit code.
task<int> make_histogram(options asked) {
  constexpr std::int64_t block = 1024;  // sends between two looks at the network
  program::progress shown("histogram");
  counters_here->resize(static_cast<std::size_t>(asked.counters));
  update_source source(asked, this_pe());
  co_await barrier();

  program::stopwatch watch;
  for (std::int64_t done = 0; done < asked.updates; done += block) {
    send_updates(source, std::min(block, asked.updates - done));
    co_await room_everywhere();
    shown.at("update", done, asked.updates);
  }
  co_await quiescence();
  const double seconds = co_await all_reduce(watch.seconds(), reduce::max);

  shown.begin("verifying");
  const double rate = static_cast<double>(asked.updates) / seconds;
  program::result result;
  result.program = "histogram";
  result.input_key = "seed";
  result.input = std::to_string(asked.seed);
  result.verified = co_await verify(asked);
  result.seconds = seconds;
  result.about = fmt::format("histogram: {} updates of {} counters by each PE, seed {}", asked.updates, asked.counters,
                             asked.seed);
  result.details.emplace_back("rate", fmt::format("{:.1f} million updates/s by each PE", rate * 1e-6));
  result.fields = {{"updates", std::to_string(asked.updates)},
                   {"counters", std::to_string(asked.counters)},
                   {"updates_per_second_and_pe", fmt::format("{:.6g}", rate)}};
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

// Runs on every PE.
task<int> read_and_run(arguments words) {
  options asked;
  program::command_line app("Histogram: every PE updates random counters of all PEs", "histogram");
  app.add_option("--updates", asked.updates, "of each PE; default 50000000")
      .range(std::int64_t{0}, std::int64_t{1} << 40)
      .type_name("N");
  app.add_option("--counters", asked.counters, "of each PE, 8 bytes each; default 1000")
      .range(std::int64_t{1}, std::int64_t{1} << 32)
      .type_name("N");
  app.add_option("--seed", asked.seed, "of the random updates; default 1").type_name("N");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  co_return co_await make_histogram(asked);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, read_and_run); }
