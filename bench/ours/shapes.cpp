// Three shapes of traffic, which ask for batches of different sizes: a crowd (every PE sends to all, all the time),
// bursts (a few thousand messages to one PE, then their answer is awaited) and a trickle (a PE that computes sends a
// message now and then). Run with fixed sizes (--tsubu-batch=B --tsubu-least-batch=B) and without, for what tuning them
// is worth.
#include <algorithm>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "tsubu/base/random.hpp"

namespace {

using namespace tsubu;

struct state {
  std::uint64_t received = 0;
  std::uint64_t mixed = 0;
  std::uint64_t waited = 0;  // ticks
};
pe_local<state> here;

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 31;
  x *= 0x7fb5d329728ea185ULL;
  x ^= x >> 27;
  return x * 0x81dadef4bc2dd44dULL;
}

void receive(std::uint64_t x) {
  ++here->received;
  here->mixed ^= mix(x);
}
void stamped(std::uint64_t sent_at) {
  ++here->received;
  here->waited += ticks() - sent_at;
}
std::uint64_t take_received() { return std::exchange(here->received, 0); }
std::uint64_t take_waited() { return std::exchange(here->waited, 0); }

task<int> program(arguments args) {
  std::int64_t messages = 2'000'000, bursts = 400, burst = 4096, trickle = 4000, repetitions = 5;
  if (const auto code =
          bench::read_options(args, "three shapes of traffic",
                              {{"--messages", &messages, "of each PE in the crowd"},
                               {"--bursts", &bursts, "how many"},
                               {"--burst", &burst, "messages in one"},
                               {"--trickle", &trickle, "messages, one in a microsecond of computing"},
                               {"--repetitions", &repetitions, "after one untimed; their median is reported"}}))
    co_return *code;
  const pe_id next = (this_pe() + 1) % pe_count();
  const auto pes = static_cast<std::uint64_t>(pe_count());
  std::vector<double> crowd_ns, burst_ns, trickle_ns;
  bool verified = true;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    take_received();
    take_waited();
    co_await barrier();
    const bench::stopwatch crowd_watch;
    for (std::int64_t i = 0; i < messages; ++i) {
      const std::uint64_t x = mix(static_cast<std::uint64_t>(i) + 1);
      co_await at(static_cast<pe_id>((x >> 32) % pes)).past<receive>(x);
    }
    co_await quiescence();
    crowd_ns.push_back(crowd_watch.seconds() * 1e9 / static_cast<double>(messages));
    const std::uint64_t all = co_await all_reduce(take_received(), reduce::plus);
    verified = verified && all == static_cast<std::uint64_t>(messages) * pes;

    if (this_pe() == 0) {
      const bench::stopwatch burst_watch;
      for (std::int64_t b = 0; b < bursts; ++b) {
        for (std::int64_t i = 0; i < burst; ++i) at(next).past<receive>(static_cast<std::uint64_t>(i));
        verified = co_await at(next).now<take_received>() == static_cast<std::uint64_t>(burst) && verified;
      }
      burst_ns.push_back(burst_watch.seconds() * 1e9 / static_cast<double>(bursts));

      for (std::int64_t i = 0; i < trickle; ++i) {
        for (const std::int64_t end = now_ns() + 1000; now_ns() < end;) {
        }
        at(next).past<stamped>(ticks());
        co_await yield();
      }
    }
    co_await quiescence();
    // Each PE tells its own: one that was asked would have begun the next repetition, and with it from zero.
    const auto waited = static_cast<double>(co_await all_reduce(take_waited(), reduce::plus));
    trickle_ns.push_back(waited / ticks_per_ns() / static_cast<double>(trickle));
  }
  verified = co_await all_reduce(verified, reduce::all);
  if (this_pe() == 0) {
    for (auto* times : {&crowd_ns, &burst_ns, &trickle_ns}) times->erase(times->begin());
    bench::result_line line("shapes");
    line.add("transport", transport_name()).add("pes", pe_count()).add("verified", verified);
    if (verified) {
      line.add("crowd_ns", bench::summarize(crowd_ns).median).add("burst_ns", bench::summarize(burst_ns).median);
      line.add("trickle_ns", bench::summarize(trickle_ns).median);
    }
    line.print();
  }
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
