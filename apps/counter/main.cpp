// The latency of concurrent objects, by the two counters of the ABCL/EM-4 paper: what it costs a level to create the
// next one and ask it, to create it, and to ask it.
#include <fmt/core.h>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "apps/counter/counters.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/result.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;
using counter::after_create;
using counter::builder;
using counter::with_create;

struct options {
  std::int64_t n = 0;
  int repetitions = 5;
  bool delegate = false;
  bool json = false;
};

// Nanoseconds of one run.
struct times {
  double create_and_now = 0;
  double create = 0;
  double now = 0;
};

counter::tally take_tally() { return std::exchange(*counter::tally_here, {}); }

// Both chains: as many objects made and ended as there are levels, each.
task<bool> all_ended(std::int64_t levels) {
  counter::tally sum;
  for (const counter::tally& of_pe : co_await everywhere().now<take_tally>()) {
    sum.created += of_pe.created;
    sum.ended += of_pe.ended;
  }
  co_return sum.created == 2 * levels&& sum.ended == 2 * levels;
}

double ns_since(std::int64_t start_ns) { return static_cast<double>(now_ns() - start_ns); }

task<bool> run_once(options asked, times* took) {
  std::int64_t start_ns = now_ns();
  const ref<with_create> maker = create<with_create>(counter::neighbour());
  std::int64_t answer = 0;
  if (asked.delegate) {
    answer = co_await maker.now<&with_create::hand_on>(asked.n);
  } else {
    answer = co_await maker.now<&with_create::count>(asked.n);
  }
  took->create_and_now = ns_since(start_ns);

  start_ns = now_ns();
  const ref<builder> chain = create<builder>(here());
  co_await chain.now<&builder::build>(asked.n);
  took->create = ns_since(start_ns);

  const ref<after_create> first = co_await chain.now<&builder::take>();
  start_ns = now_ns();
  if (asked.delegate) {
    answer += co_await first.now<&after_create::hand_on>(asked.n);
  } else {
    answer += co_await first.now<&after_create::count>(asked.n);
  }
  took->now = ns_since(start_ns);

  first.past<&after_create::end>();
  co_await quiescence();
  const bool ended = co_await all_ended(asked.n);
  co_return answer == 2 && ended;
}

double median(std::vector<times> runs, double times::* which) {
  const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
  std::nth_element(runs.begin(), middle, runs.end(),
                   [&](const times& a, const times& b) { return a.*which < b.*which; });
  return *middle.*which;
}

// What a level costs, and how that compares with EM-4's clocks.
void add_row(program::result& result, const std::string& name, const std::string& what, double ns, int em4_clocks) {
  const double ticks = ns * ticks_per_ns();
  result.details.emplace_back(what, fmt::format("{:.1f} ns = {:.1f} ticks a level; {:.2f} x EM-4's {} clocks", ns,
                                                ticks, ticks / em4_clocks, em4_clocks));
  result.fields.emplace_back(name + "_ns", fmt::format("{:.6g}", ns));
  result.fields.emplace_back(name + "_ticks", fmt::format("{:.6g}", ticks));
  result.fields.emplace_back(name + "_em4_ratio", fmt::format("{:.6g}", ticks / em4_clocks));
}

task<int> measure(options asked) {
  bool right = true;
  std::vector<times> runs;
  const std::int64_t start_ns = now_ns();
  for (int i = 0; i < asked.repetitions; ++i) {
    times took;
    right = co_await run_once(asked, &took) && right;
    runs.push_back(took);
  }
  program::result result;
  result.program = "counter";
  result.input_key = "n";
  result.input = std::to_string(asked.n);
  result.verified = right;
  result.seconds = ns_since(start_ns) * 1e-9;
  result.counts = {{"levels", asked.n}};
  result.fields.emplace_back("delegate", asked.delegate ? "true" : "false");
  const auto levels = static_cast<double>(asked.n);
  add_row(result, "create_and_now", "create + now", median(runs, &times::create_and_now) / levels, 164);
  add_row(result, "create", "create", median(runs, &times::create) / levels, 49);
  add_row(result, "now", "now", median(runs, &times::now) / levels, 133);
  result.about =
      fmt::format("The counters of ABCL/EM-4: chains of {} objects, each on the next PE; {}", asked.n,
                  asked.delegate ? "the last one answers the first one's asker" : "replies go back level by level");
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

task<int> read_and_run(arguments words) {
  options asked;
  program::command_line app(
      "The counters of the ABCL/EM-4 paper's figure 5: the latency of creating and asking objects", "counter");
  app.add_option("n", asked.n, "levels, an object each")
      .required()
      .range(std::int64_t{1}, std::int64_t{100'000'000})
      .type_name("N");
  app.add_flag("--delegate", asked.delegate, "each level hands on its duty to reply, and keeps no frame");
  app.add_option("--repetitions", asked.repetitions, "of which the median is shown; default 5")
      .range(1, 1000)
      .type_name("N");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  co_return co_await measure(asked);
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, read_and_run); }
