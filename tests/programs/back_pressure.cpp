// Promise: a sender that awaits its past() sends is held back while too much is on the way, to another PE
// and to itself; so memory is bounded, all senders move on, and nothing is lost.
#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"
#include "tsubu/message/ledger.hpp"

using namespace tsubu;

namespace programs::back_pressure {

pe_local<long> taken;

struct cargo {
  long n;
  std::byte rest[56];
};

void take_slowly(cargo c) {
  const std::int64_t until = now_ns() + 300;
  while (now_ns() < until) continue;
  *taken += c.n;
}

// Sends to `to` and gives the most batches that were on the way.
task<int> flood(pe_id to, long sends) {
  const auto& messages = remote::current_pe->messages;
  int most = 0;
  for (long i = 0; i < sends; ++i) {
    co_await at(to).past<take_slowly>(cargo{1, {}});
    if (to != this_pe()) most = std::max(most, remote::current_pe->transport().on_the_way(to));
  }
  expect(messages.counted().batches_sent > 0, "batches were sent");
  co_return most;
}

task<int> program(arguments args) {
  // Ten batches' worth at the least: more than may be on the way.
  const std::size_t batch_bytes = remote::current_pe->transport().batch_bytes();
  const auto sends =
      std::max(static_cast<long>(option(args, "--sends", 10'000)), static_cast<long>(10 * batch_bytes / sizeof(cargo)));
  const int limit = message::credit_window::most_batches + 2;
  for (pe_id to = 0; to < pe_count(); to += std::max(1, pe_count() - 1)) {
    const std::vector<int> most = co_await everywhere().now<flood>(to, sends);
    for (int batches : most)
      expect(batches <= limit, "batches on the way are bounded, and were " + std::to_string(batches));
    co_await quiescence();
    expect_equal(co_await at(to).now([] { return *taken; }), sends * pe_count(), "what was taken");
    co_await at(to).now([] { *taken = 0; });
  }
  co_return 0;
}

const test::joined_program entry("back_pressure", run, program);

}  // namespace programs::back_pressure
