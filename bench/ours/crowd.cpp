// Past messages of 4 bytes to another PE, in a crowd: each PE sends to the next and executes what
// comes. Nothing stays at home. The figure is ticks a message and PE, for sending and executing.
#include <algorithm>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"

namespace {

using namespace tsubu;

pe_local<std::uint64_t> received;  // the sum of what came

void receive(std::uint32_t x) { *received += x; }

void send_some(pe_id to, std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) at(to).past<receive>(first + i);
}

task<int> program(arguments args) {
  std::int64_t messages = 10'000'000, repetitions = 7;
  if (const auto code = bench::read_options(
          args, "4-byte messages to the next PE",
          {{"--messages", &messages, "of each PE"},
           {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}}))
    co_return *code;
  const pe_id next = (this_pe() + 1) % pe_count();
  const auto count = static_cast<std::uint64_t>(messages);
  std::vector<double> ticks_each;
  bool verified = true;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    *received = 0;
    co_await barrier();
    const bench::stopwatch watch;
    for (std::uint64_t sent = 0; sent < count; sent += 1024) {
      send_some(next, static_cast<std::uint32_t>(sent),
                static_cast<std::uint32_t>(std::min<std::uint64_t>(1024, count - sent)));
      co_await room_everywhere();
    }
    co_await quiescence();
    const double taken = watch.ticks_taken();
    verified = verified && *received == count * (count - 1) / 2;
    if (r > 0) ticks_each.push_back(taken / static_cast<double>(messages));
  }
  verified = co_await all_reduce(verified, reduce::all);
  if (this_pe() == 0) {
    const bench::summary times = bench::summarize(ticks_each);
    bench::result_line line("crowd");
    line.add("transport", transport_name()).add("pes", pe_count()).add("messages", messages).add("verified", verified);
    if (verified) line.add("ticks_per_message", times.median).add(times);
    line.print();
  }
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
