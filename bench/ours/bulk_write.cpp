// Bandwidth of global_ptr writes: a window of them under way, then a wait for all.
#include <algorithm>
#include <span>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"

namespace {

using namespace tsubu;

task<int> program(arguments args) {
  std::int64_t bytes = 1 << 20, window = 16, repetitions = 21;
  if (const auto code = bench::read_options(
          args, "global_ptr bulk writes, one way",
          {{"--bytes", &bytes, "of a write"},
           {"--window", &window, "writes under way"},
           {"--repetitions", &repetitions, "windows, after one untimed; their median is reported"}}))
    co_return *code;
  require(pe_count() >= 2, "a write to another PE needs two PEs");
  const auto size = static_cast<std::size_t>(bytes), count = static_cast<std::size_t>(window);
  const global_ptr<char> target = co_await allocate<char>(1, size * count);
  std::vector<char> source(size * count);
  std::vector<double> rates;
  bool verified = true;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    std::fill(source.begin(), source.end(), static_cast<char>(r + 1));
    const bench::stopwatch watch;
    std::vector<future<void>> writes;
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<const char> piece(source.data() + i * size, size);
      writes.push_back(start(target[static_cast<std::ptrdiff_t>(i * size)].write(piece)));
    }
    for (auto& w : writes) co_await std::move(w);
    const double seconds = watch.seconds();
    if (r > 0) rates.push_back(static_cast<double>(size * count) / seconds * 1e-6);
    verified =
        verified && co_await target[static_cast<std::ptrdiff_t>(size * count - 1)].read() == static_cast<char>(r + 1);
  }
  const bench::summary rate = bench::summarize(rates);
  bench::result_line line("bulk_write");
  line.add("transport", transport_name()).add("pes", pe_count()).add("bytes", bytes).add("window", window);
  line.add("verified", verified);
  if (verified) line.add("megabytes_per_second", rate.median).add(rate);
  line.print();
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
