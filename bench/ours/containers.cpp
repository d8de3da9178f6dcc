// A message per element: insertions into a map and a set, visits, and counting of skewed words and of uniform keys.
//
// Keys are made beforehand. The time is that of the slowest PE, from a barrier to quiescence.
#include <string>
#include <string_view>
#include <vector>

#include <tsubu/containers.hpp>
#include <tsubu/tsubu.hpp>

#include "bench/container_workload.hpp"
#include "bench/ours/job.hpp"
#include "bench/report.hpp"

namespace {

using namespace tsubu;
using keys = std::vector<std::uint64_t>;

struct measured {
  double seconds = 0;
  bench::container_sums sums;
};

// From here until all has run.
task<double> until_all_has_run(bench::stopwatch watch) {
  co_await quiescence();
  co_return co_await all_reduce(watch.seconds(), reduce::max);
}

template <class C>
task<measured> sums_of(C container, double seconds) {
  measured m{seconds, {}};
  for (const auto& [key, value] : container.here()) m.sums.values += static_cast<std::uint64_t>(value);
  m.sums.values = co_await all_reduce(m.sums.values, reduce::plus);
  m.sums.keys = co_await container.size();
  co_await container.end();
  co_return m;
}

task<measured> insert(const keys& mine) {
  auto m = co_await create_map<std::uint64_t, std::uint64_t>();
  co_await barrier();
  const bench::stopwatch watch;
  for (const std::uint64_t key : mine) co_await m.past().insert(key, 1);
  const double seconds = co_await until_all_has_run(watch);
  co_return co_await sums_of(m, seconds);
}

void add(const std::uint64_t&, std::uint64_t& value, std::uint64_t n) { value += n; }

task<measured> visit(const keys& mine) {
  auto m = co_await create_map<std::uint64_t, std::uint64_t>();
  co_await barrier();
  const bench::stopwatch watch;
  for (const std::uint64_t key : mine) co_await m.past().visit<add>(key, 1);
  const double seconds = co_await until_all_has_run(watch);
  co_return co_await sums_of(m, seconds);
}

task<measured> insert_into_set(const keys& mine) {
  auto s = co_await create_set<std::uint64_t>();
  co_await barrier();
  const bench::stopwatch watch;
  for (const std::uint64_t key : mine) co_await s.past().insert(key);
  measured m{co_await until_all_has_run(watch), {}};
  m.sums.keys = m.sums.values = co_await s.size();
  co_await s.end();
  co_return m;
}

task<measured> count_keys(const keys& mine) {
  auto c = co_await create_counting_set<std::uint64_t>();
  co_await barrier();
  const bench::stopwatch watch;
  for (const std::uint64_t key : mine) co_await c.insert(key);
  const double seconds = co_await until_all_has_run(watch);
  co_return co_await sums_of(c, seconds);
}

task<measured> count_words(const keys& mine, const std::vector<std::string>& vocabulary) {
  auto c = co_await create_counting_set<std::string>();
  co_await barrier();
  const bench::stopwatch watch;
  for (const std::uint64_t word : mine) co_await c.insert(vocabulary[word]);
  const double seconds = co_await until_all_has_run(watch);
  co_return co_await sums_of(c, seconds);
}

task<int> program(arguments args) {
  std::int64_t operations = 2'000'000, repetitions = 3;
  std::string what = "insert";
  if (const auto code = bench::read_options(
          args, "containers, one message per element",
          {{"--what", &what, "insert, visit, set, uniform or words"},
           {"--operations", &operations, "of each PE"},
           {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}}))
    co_return *code;
  const keys mine = bench::make_keys(what, static_cast<std::size_t>(operations), pe_index(), all_pes().size());
  const std::vector<std::string> vocabulary = bench::make_vocabulary();

  std::vector<double> seconds;
  bool verified = true;
  bench::container_sums sums;
  for (std::int64_t repetition = 0; repetition <= repetitions; ++repetition) {
    measured m;
    if (what == "insert") m = co_await insert(mine);
    if (what == "visit") m = co_await visit(mine);
    if (what == "set") m = co_await insert_into_set(mine);
    if (what == "uniform") m = co_await count_keys(mine);
    if (what == "words") m = co_await count_words(mine, vocabulary);
    verified = verified && (what == "set" || m.sums.values == mine.size() * all_pes().size());
    sums = m.sums;
    if (repetition > 0) seconds.push_back(m.seconds);
  }
  if (this_pe() == 0) {
    const bench::summary times = bench::summarize(seconds);
    bench::result_line line("containers");
    line.add("what", what).add("transport", transport_name()).add("pes", pe_count()).add("operations", operations);
    line.add("keys", static_cast<std::int64_t>(sums.keys)).add("verified", verified).add("seconds", times.median);
    line.add("operations_per_second_and_pe", static_cast<double>(operations) / times.median).add(times);
    line.print();
  }
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
