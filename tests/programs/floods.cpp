// Promise: whatever a program sends, a PE holds no more message memory than --tsubu-memory, measured as the
// process' peak resident memory; nothing is lost, nothing stands still. Modes: every PE floods one, without ever
// awaiting; a ring of handlers that each forward; handlers that reply; handlers that fan out; collectives in which a PE
// only sends, one behind the other; messages of 1 MiB by a PE that computes between them; a handler that sends to its
// own PE until another says that it shall stop; messages that bounce between two PEs for as long as a task of one of
// them has not sent what it awaits room for.
#include <fstream>

#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

struct cargo {
  std::uint64_t words[7];
};

pe_local<std::uint64_t> taken;
pe_local<std::uint64_t> sum;

void take(std::uint64_t n, cargo load) {
  ++*taken;
  *sum += n ^ load.words[n % 7];
}

void forward(std::uint64_t hops, cargo load) {
  ++*taken;
  if (hops > 0) at((this_pe() + 1) % pe_count()).past<forward>(hops - 1, load);
}

void answer(std::uint64_t n, pe_id from, cargo load) { at(from).past<take>(n, load); }

void fan_out(std::uint64_t depth, std::uint64_t path, cargo load) {
  ++*taken;
  if (depth == 0) return;
  for (std::uint64_t side : {1, 2}) {
    const std::uint64_t next = (path * 2 + side) * 0x9e3779b97f4a7c15;
    at(static_cast<pe_id>(next % static_cast<std::uint64_t>(pe_count()))).past<fan_out>(depth - 1, next, load);
  }
}

void take_large(std::vector<std::uint64_t> load) {
  ++*taken;
  *sum += load.back();
}

void compute(std::int64_t ns) {
  const std::int64_t until = now_ns() + ns;
  while (now_ns() < until) continue;
}

pe_local<bool> told_to_stop;
void stop() { *told_to_stop = true; }
void bounce(pe_id from) {
  ++*taken;
  if (!*told_to_stop) at(from).past<bounce>(this_pe());
}
void send_to_itself() {
  ++*taken;
  if (!*told_to_stop) at(this_pe()).past<send_to_itself>();
}

// PE 0 and the last one are ahead of the others by turns.
task<void> one_way_collectives(std::uint64_t times) {
  using words = std::vector<std::uint64_t>;
  constexpr std::size_t length = 8192;
  const auto pes = static_cast<std::uint64_t>(pe_count());
  const auto both = [](std::uint64_t a, std::uint64_t b) { return a + b; };
  const pe_id last = pe_count() - 1;
  for (std::uint64_t i = 0; i < times; ++i) {
    const words all = co_await broadcast(words(length, this_pe() == 0 ? i : 0));
    expect(all == words(length, i), "what was broadcast");
  }
  for (std::uint64_t i = 0; i < times; ++i) {
    const words sums = co_await reduce_to(last, words(length, i), both);
    expect(this_pe() != last || sums == words(length, i * pes), "what was reduced");
  }
  for (std::uint64_t i = 0; i < times; ++i) {
    const words sums = co_await scan(words(length, i), both);
    expect(sums == words(length, i * (static_cast<std::uint64_t>(this_pe()) + 1)), "what was scanned");
  }
  for (std::uint64_t i = 0; i < times; ++i) {
    const std::vector<words> all = co_await gather(words(length, i), last);
    expect(this_pe() != last || all == std::vector<words>(pes, words(length, i)), "what was gathered");
  }
}

// "VmRSS" or "VmHWM", in bytes.
std::uint64_t memory(const std::string& what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(what + ":")) return std::strtoull(line.c_str() + what.size() + 1, nullptr, 10) << 10;
  }
  fail("/proc/self/status has no " + what);
}

task<int> program(arguments args) {
  const std::string mode = args[1];
  const std::uint64_t n = option(args, "--messages", 200'000);
  const std::uint64_t limit = option(args, "--limit", 64 << 20);
  const auto pes = static_cast<std::uint64_t>(pe_count());
  const cargo load{{1, 2, 3, 4, 5, 6, 7}};
  const std::uint64_t before = memory("VmRSS");
  co_await barrier();
  std::uint64_t wanted = 0;
  if (mode == "one") {
    for (std::uint64_t i = 0; i < n; ++i) at(0).past<take>(i, load);
    wanted = n * pes;
  } else if (mode == "ring") {
    constexpr std::uint64_t hops = 20;
    for (std::uint64_t i = 0; i < n / hops; ++i) at((this_pe() + 1) % pe_count()).past<forward>(hops, load);
    wanted = n / hops * (hops + 1) * pes;
  } else if (mode == "reply") {
    for (std::uint64_t i = 0; i < n; ++i) at(static_cast<pe_id>(i % pes)).past<answer>(i, this_pe(), load);
    wanted = n * pes;
  } else if (mode == "fan") {
    std::uint64_t depth = 0;
    while ((std::uint64_t{2} << depth) <= n) ++depth;
    at(this_pe()).past<fan_out>(depth, static_cast<std::uint64_t>(this_pe()), load);
    wanted = ((std::uint64_t{2} << depth) - 1) * pes;
  } else if (mode == "large") {
    // PE 0 keeps pace, more or less.
    for (std::uint64_t i = 0; this_pe() != 0 && i < n; ++i) {
      at(0).past<take_large>(std::vector<std::uint64_t>(std::size_t{1} << 17, i));
      compute(1'000'000);
    }
    wanted = n * (pes - 1);
  } else if (mode == "itself") {
    if (this_pe() == 0) {
      for (std::uint64_t i = 0; i < n; ++i) at(0).past<send_to_itself>();
      const pe_id other = pe_count() - 1;
      expect_equal(co_await at(other).now([] { return this_pe(); }), other, "who has answered meanwhile");
      at(other).past([] { at(0).past<stop>(); });
    }
    co_await quiescence();
    expect(this_pe() != 0 || *taken >= n, "what it has sent to itself has been executed");
    co_return 0;
  } else if (mode == "bounce") {
    if (this_pe() == 0) {
      const pe_id other = pe_count() - 1;
      for (std::uint64_t i = 0; i < n; ++i) at(other).past<bounce>(0);
      for (int i = 0; i < 20; ++i) co_await at(other).past([] { ++*sum; });
      everywhere().past<stop>();
    }
    co_await quiescence();
    expect(this_pe() != pe_count() - 1 || *sum == 20, "what was sent between messages that bounce was executed");
    co_return 0;
  } else if (mode == "collectives") {
    co_await one_way_collectives(n);
  } else {
    fail("a mode is one, ring, reply, fan, large, itself, bounce or collectives, not " + mode);
  }
  co_await quiescence();
  expect_equal(co_await all_reduce(*taken, reduce::plus), wanted, "messages that were executed");

  const std::uint64_t held = co_await all_reduce(remote::current_pe->messages.peak_bytes(), reduce::max);
  expect(held <= limit + (1 << 20), "messages hold at most the limit, and held " + std::to_string(held));

  // PEs that are threads share one process; the rest is stacks, pools and what MPI takes as it goes.
  const bool threads = transport_name() == std::string("threads");
  const std::uint64_t most = (limit + (1 << 20)) * (threads ? pes : 1) + (8 << 20);
  const std::uint64_t peak = memory("VmHWM") - before;
  if (this_pe() == 0)
    std::printf("%s: peak %.1f MiB, may be %.1f; a PE held %llu bytes of messages at most\n", mode.c_str(),
                static_cast<double>(peak) / 1048576, static_cast<double>(most) / 1048576,
                static_cast<unsigned long long>(held));
  // A PE keeps the values of collectives that it has not called yet, however many.
  expect(peak <= most || mode == "collectives",
         "peak memory of at most " + std::to_string(most) + " bytes, and it was " + std::to_string(peak));
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
