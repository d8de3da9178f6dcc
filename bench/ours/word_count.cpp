// The words of a file, from the disk (or what the system keeps of it) to the hundred that come most often. The time is
// that of the slowest PE, from a barrier on.
#include <string_view>
#include <vector>

#include <tsubu/containers.hpp>
#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "bench/report.hpp"
#include "bench/words_file.hpp"

namespace {

using namespace tsubu;

struct outcome {
  double seconds = 0;
  std::int64_t words = 0, most = 0;
};

task<outcome> count(std::string file) {
  co_await barrier();
  const bench::stopwatch watch;
  auto words = co_await create_counting_set<std::string>();
  auto text = co_await lines(file);
  for (std::string_view line : text) {
    while (!line.empty()) {
      const std::size_t end = std::min(line.find(' '), line.size());
      if (end > 0) co_await words.insert(line.substr(0, end));
      line.remove_prefix(std::min(end + 1, line.size()));
    }
  }
  co_await quiescence();
  const auto top = co_await words.top_k(100);
  outcome o;
  o.seconds = co_await all_reduce(watch.seconds(), reduce::max);
  o.words = co_await words.total();
  o.most = top.empty() ? 0 : top.front().second;
  co_await words.end();
  co_return o;
}

task<int> program(arguments args) {
  std::int64_t bytes = 200'000'000, repetitions = 3;
  if (const auto code = bench::read_options(
          args, "counting the words of a file",
          {{"--bytes", &bytes, "of the file"},
           {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}}))
    co_return *code;
  std::string file;
  if (this_pe() == 0) file = bench::words_file(static_cast<std::uintmax_t>(bytes));
  file = co_await broadcast(file);
  std::vector<double> seconds;
  outcome o;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    o = co_await count(file);
    if (r > 0) seconds.push_back(o.seconds);
  }
  if (this_pe() == 0) {
    bench::result_line line("word_count");
    line.add("transport", transport_name()).add("pes", pe_count()).add("bytes", bytes);
    line.add("words", o.words).add("most", o.most).add("seconds", bench::summarize(seconds).median);
    line.print();
  }
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
