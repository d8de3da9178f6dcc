// What concurrent objects take: bytes of resident memory for each of 10,000,000 idle ones with a word of state, and for
// each of 100,000 that wait in a method, in accept(), with four words that it still needs.
//
// The array of names is touched before the first measurement, so that it is not counted. All objects are asked in the
// end.
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"

namespace {

using namespace tsubu;

struct idle : object<idle> {
  std::uint64_t word;
  explicit idle(std::uint64_t w) : word(w) {}
  std::uint64_t get() { return word; }
};

pe_local<std::uint64_t> checked;  // the sum of what methods that waited had kept

struct waiter : object<waiter> {
  std::uint64_t factor = 0;
  task<void> hold(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
    co_await accept<&waiter::go_on>();
    *checked += factor * (a ^ b ^ c ^ d);
  }
  void go_on(std::uint64_t f) { factor = f; }
};

std::int64_t resident_bytes() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "r"), &std::fclose);
  long all = 0, resident = 0;
  require(file != nullptr && std::fscanf(file.get(), "%ld %ld", &all, &resident) == 2,
          "/proc/self/statm tells what memory is resident: it cannot be read");
  return static_cast<std::int64_t>(resident) * sysconf(_SC_PAGESIZE);
}

double each(std::int64_t bytes, std::int64_t count) { return static_cast<double>(bytes) / static_cast<double>(count); }

task<int> program(arguments args) {
  std::int64_t idle_count = 10'000'000, waiting_count = 100'000;
  if (const auto code =
          bench::read_options(args, "bytes of concurrent objects",
                              {{"--idle", &idle_count, "objects"}, {"--waiting", &waiting_count, "objects"}}))
    co_return *code;
  require(idle_count > 0 && waiting_count > 0, "--idle and --waiting are 1 at least");
  std::vector<ref<idle>> idles(static_cast<std::size_t>(idle_count));
  std::vector<ref<waiter>> waiters(static_cast<std::size_t>(waiting_count));

  // Those that wait go first and stay, so that nothing of theirs is used again.
  const std::int64_t before = resident_bytes();
  for (std::size_t i = 0; i < waiters.size(); ++i) {
    waiters[i] = create<waiter>(here());
    waiters[i].past<&waiter::hold>(i, 2 * i, 3 * i, 5 * i);
  }
  const std::int64_t waiting = resident_bytes();
  for (std::size_t i = 0; i < idles.size(); ++i) idles[i] = create<idle>(here(), i);
  const std::int64_t after = resident_bytes();

  bool verified = true;
  for (std::size_t i = 0; i < waiters.size(); i += waiters.size() / 16 + 1) {
    const object_status s = co_await waiters[i].status();
    verified = verified && s.mode == object_mode::waiting;
  }
  std::uint64_t expected = 0;
  for (std::size_t i = 0; i < waiters.size(); ++i) {
    expected += (i + 1) * (i ^ (2 * i) ^ (3 * i) ^ (5 * i));
    waiters[i].past<&waiter::go_on>(i + 1);
  }
  co_await quiescence();
  verified = verified && *checked == expected;
  for (std::size_t i = 0; i < idles.size(); ++i) verified = co_await idles[i].now<&idle::get>() == i && verified;

  bench::result_line line("object_bytes");
  line.add("pes", pe_count()).add("idle", idle_count).add("waiting", waiting_count).add("verified", verified);
  if (verified) {
    line.add("object_bytes", each(after - waiting, idle_count))
        .add("waiting_bytes", each(waiting - before, waiting_count));
    line.add("process_bytes", after);
  }
  line.print();
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
