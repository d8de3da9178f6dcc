// Promise: for_each_in_flight over reads, calls and methods gives each its own answer, holds its width, and fills the
// batches in both directions; an exception of one comes out when the others have ended.
// Method: every PE gathers random elements of a table that is spread over all, and counts what it sends. --seed N.
#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"
#include "tsubu/message/ledger.hpp"

using namespace tsubu;

namespace programs::requests_in_flight {

constexpr std::size_t elements = 1000;  // of each PE
constexpr std::size_t many = 20'000;

std::uint64_t value_of(pe_id pe, std::size_t i) { return static_cast<std::uint64_t>(pe) * 1'000'003 + i * i; }

std::uint64_t ask(std::size_t i) { return value_of(this_pe(), i); }
task<std::uint64_t> ask_later(std::size_t i) {
  if (i % 3 == 0) co_await yield();
  co_return value_of(this_pe(), i);
}
std::uint64_t refuse(std::size_t i) {
  if (i % 100 == 7) throw std::out_of_range("an element that ends in 07");
  return i;
}

struct wanted {
  pe_id pe;
  std::size_t i;
};

task<int> program(arguments args) {
  std::mt19937_64 random = seeded(args);
  const auto p = static_cast<std::size_t>(pe_count());
  std::vector<std::uint64_t> mine(elements);
  for (std::size_t i = 0; i < elements; ++i) mine[i] = value_of(this_pe(), i);
  const std::vector<global_ptr<std::uint64_t>> tables = co_await all_gather(share(std::span(mine)));

  std::vector<wanted> all(many);
  for (wanted& w : all) w = {static_cast<pe_id>(below(random, p)), below(random, elements)};
  const message::counters& counted = remote::current_pe->messages.counted();
  for (int width : {1, 7, 1000}) {
    int running = 0, most = 0;
    std::size_t right = 0;
    const std::span<const wanted> some(all.data(), width == 1000 ? many : many / 20);
    co_await barrier();
    const std::uint64_t packets = counted.packets_sent, batches = counted.batches_sent;
    co_await for_each_in_flight(some, width, [&](wanted w) -> task<void> {
      most = std::max(most, ++running);
      const auto element = static_cast<std::ptrdiff_t>(w.i);
      const std::uint64_t found = co_await tables[static_cast<std::size_t>(w.pe)][element].read();
      right += found == value_of(w.pe, w.i) ? 1 : 0;
      --running;
    });
    co_await barrier();
    expect_equal(right, some.size(), "right elements");
    expect_equal(running, 0, "tasks that still run");
    expect_equal(most, width, "the most tasks in flight");
    // Its requests and the answers to the others' ones.
    const double fill =
        static_cast<double>(counted.packets_sent - packets) / static_cast<double>(counted.batches_sent - batches);
    if (width == 1000) expect(fill > 20, "20 packets in a batch, not " + std::to_string(fill));
    if (args.size() > 1 && args[1] == "--show")
      std::printf("PE %d, width %d: %g packets a batch\n", this_pe(), width, fill);
  }

  std::size_t right = 0;
  co_await for_each_in_flight(all, 300, [&](wanted w) -> task<void> {
    const bool later = w.i % 2 == 0;
    std::uint64_t found = 0;
    if (later)
      found = co_await at(w.pe).now<ask_later>(w.i);
    else
      found = co_await at(w.pe).now<ask>(w.i);
    right += found == value_of(w.pe, w.i) ? 1 : 0;
  });
  expect_equal(right, many, "right answers to calls");

  bool thrown = false;
  int running = 0;
  try {
    co_await for_each_in_flight(std::views::iota(std::size_t{0}, many), 50, [&](std::size_t i) -> task<void> {
      ++running;
      struct at_end {
        int& count;
        ~at_end() { --count; }
      } const guard{running};
      co_await at(static_cast<pe_id>(i % p)).now<refuse>(i);
    });
  } catch (const remote_error& e) {
    thrown = e.message() == "an element that ends in 07";
  }
  expect(thrown, "the exception of a call");
  expect_equal(running, 0, "tasks that outlive an exception");
  co_await barrier();
  unshare(tables[static_cast<std::size_t>(this_pe())]);
  co_return 0;
}

const test::joined_program entry("requests_in_flight", run_spmd, program);

}  // namespace programs::requests_in_flight
