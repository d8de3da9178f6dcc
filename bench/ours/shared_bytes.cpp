// What shared variables take: bytes of resident memory for each of 1,000,000 at their home, with a value of 8 bytes,
// and for each copy of one on another PE, by which all of them are then read.
//
// The names are stored before the first measurement, in memory that was touched, and are sent one by one: so neither
// they nor large buffers are counted.
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"

namespace {

using namespace tsubu;

constexpr std::size_t tasks = 16;    // that fetch copies at a time
constexpr std::size_t burst = 1024;  // names sent before their sender waits for room

pe_local<std::vector<shared<long>>> names;
void take_name(std::uint32_t i, shared<long> name) { (*names)[i] = name; }

std::int64_t resident_bytes() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "r"), &std::fclose);
  long all = 0, resident = 0;
  require(file != nullptr && std::fscanf(file.get(), "%ld %ld", &all, &resident) == 2,
          "/proc/self/statm tells what memory is resident: it cannot be read");
  return static_cast<std::int64_t>(resident) * sysconf(_SC_PAGESIZE);
}

constexpr long value_of(std::size_t i) { return static_cast<long>(5 * i + 3); }

task<void> send_names() {
  for (std::size_t i = 0; i < names->size(); ++i) {
    at(1).past<take_name>(static_cast<std::uint32_t>(i), (*names)[i]);
    if (i % burst == burst - 1) co_await room_everywhere();
  }
}

task<void> read_some(std::size_t first, bool* right) {
  for (std::size_t i = first; i < names->size(); i += tasks) {
    const long value = co_await (*names)[i].read();
    *right = value == value_of(i) && *right;
  }
}
task<bool> read_all() {
  bool right = true;
  scope all;
  for (std::size_t t = 0; t < tasks; ++t) all.spawn(read_some(t, &right));
  co_await all.join();
  for (std::size_t i = 0; i < names->size(); ++i) {
    const long* copy = (*names)[i].copy();
    right = right && copy != nullptr && *copy == value_of(i);
  }
  co_return right;
}

task<int> program(arguments args) {
  std::int64_t count = 1'000'000;
  if (const auto code = bench::read_options(args, "bytes of shared variables", {{"--variables", &count, "of PE 0"}}))
    co_return *code;
  require(count > 0 && pe_count() >= 2, "--variables is 1 at least, and there are two PEs");
  names->resize(static_cast<std::size_t>(count));
  co_await barrier();
  const std::int64_t before = resident_bytes();
  if (this_pe() == 0) {
    for (std::size_t i = 0; i < names->size(); ++i) (*names)[i] = create_shared(protocol::update, value_of(i));
  }
  const std::int64_t with_variables = resident_bytes();
  if (this_pe() == 0) co_await send_names();
  co_await quiescence();
  const std::int64_t with_names = resident_bytes();
  bool right = true;
  if (this_pe() == 1) right = co_await read_all();
  co_await barrier();
  const std::int64_t copies = co_await broadcast(resident_bytes() - with_names, 1);
  const bool verified = co_await all_reduce(right, reduce::all);
  if (this_pe() == 0) {
    bench::result_line line("shared_bytes");
    line.add("pes", pe_count()).add("variables", count).add("verified", verified);
    if (verified) {
      line.add("variable_bytes", static_cast<double>(with_variables - before) / static_cast<double>(count));
      line.add("copy_bytes", static_cast<double>(copies) / static_cast<double>(count));
    }
    line.print();
  }
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
