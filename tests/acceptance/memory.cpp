// Rows U1, U2 and U5 of the EULASH paper: what an access to memory takes on ATTEMPT-0, and whether it uses the bus; and
// what its kernel takes.
// Method: 100 of each, by one PE alone, then by all PEs at a time, of which the slowest is shown: who needs the bus
// waits for the others. tests/papers runs it on the simulated machine and judges; elsewhere accesses take no time.
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <cstdio>

#include "tsubu/base/memory_access.hpp"

using namespace tsubu;

namespace {

constexpr std::uint64_t line = 64;
constexpr int times = 100;

struct operation {
  const char* name;
  void (*once)(std::uint64_t number);
};
constexpr operation operations[] = {
    {"read_synchronizer", [](std::uint64_t) { read_synchronizer(); }},
    {"write_synchronizer", [](std::uint64_t) { write_synchronizer(); }},
    {"fetch_and_dec", [](std::uint64_t number) { fetch_and_dec_synchronizer(static_cast<std::int64_t>(number) + 1); }},
    {"fetch_and_dec_of_zero", [](std::uint64_t) { fetch_and_dec_synchronizer(0); }},
    {"local", [](std::uint64_t) { access_local(); }},
    {"shared_miss", [](std::uint64_t number) { read_shared(number * line); }},  // each a line of its own
    {"shared_hit", [](std::uint64_t) { read_shared(0); }},                      // read just now
    {"shared_write", [](std::uint64_t) { write_shared(0); }},
};

// Once the PE runs under a kernel.
constexpr operation operations_under_kernel[] = {
    {"kernel_call", [](std::uint64_t) { call_kernel(); }},
    {"local_page_miss", [](std::uint64_t number) { access_local(1, number * 4096); }},  // each on a page of its own
    {"local_page_hit", [](std::uint64_t) { access_local(1, times * 4096); }},           // used just now
};

double ns_each(const operation& o) {
  // Nothing that another operation or PE has read, but for the line 0.
  static_assert(times < 1000);
  const auto first = static_cast<std::uint64_t>(this_pe()) * 1000;
  read_shared(0);
  const std::int64_t begin = now_ns();
  for (int i = 1; i <= times; ++i) o.once(first + static_cast<std::uint64_t>(i));
  return static_cast<double>(now_ns() - begin) / times;
}

// Takes the lines that PE 0 has read from its cache.
void drop_lines() {
  for (std::uint64_t i = 1; i <= times; ++i) write_shared(i * line);
}

task<int> program(arguments) {
  for (const operation& o : operations) {
    double alone = 0;
    if (this_pe() == 0) alone = ns_each(o);
    co_await barrier();
    if (this_pe() == 1) drop_lines();
    co_await barrier();
    const double slowest = co_await all_reduce(ns_each(o), reduce::max);
    if (this_pe() == 0) std::printf("ACCESS %s %g %g\n", o.name, alone, slowest);
  }
  run_under_kernel();
  for (const operation& o : operations_under_kernel) {
    const double ns = ns_each(o);
    if (this_pe() == 0) std::printf("ACCESS %s %g %g\n", o.name, ns, ns);
  }
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
