// Promise: a PE that computes holds up no other PE, not even one of its own process, whatever waits for it; where PEs
// are more than cores, with a thread for each of them.
//
// Method: the last PE computes until the one before it, in the same process, says so. Meanwhile all others send it far
// more than may be on the way to a PE, bulks among it, and talk to its neighbour.
#include <atomic>
#include <thread>

#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

// The one global: what the two PEs have in common is their process.
std::atomic<bool> neighbour_was_heard{false};

void compute() {
  constexpr std::int64_t longest_ns = 40'000'000'000;
  const std::int64_t begin = now_ns();
  while (!neighbour_was_heard.load()) {
    expect(now_ns() - begin < longest_ns, "messages for the neighbour of a PE that computes come through");
    std::this_thread::yield();
  }
}

void end_computing() { neighbour_was_heard.store(true); }

pe_local<int> kept;
void keep(std::vector<char>) { ++*kept; }
int how_many_kept() { return *kept; }

std::size_t length(std::vector<char> v) { return v.size(); }

constexpr int floods = 600;

// Batches beyond every window, and in the end a bulk.
void flood(pe_id to) {
  for (int i = 0; i < floods; ++i) at(to).past<keep>(std::vector<char>(1000));
  at(to).past<keep>(std::vector<char>(1 << 20));
}

task<int> program(arguments) {
  const pe_id busy = pe_count() - 1;
  const pe_id neighbour = busy - 1;
  at(busy).past<compute>();
  for (pe_id pe = 0; pe < neighbour; ++pe) at(pe).past<flood>(busy);
  for (int i = 0; i < 50; ++i) {
    const std::size_t bytes = i % 5 == 0 ? 300'000 : 10;
    std::vector<char> sent(bytes);
    expect(co_await at(neighbour).now<length>(std::move(sent)) == bytes, "a message arrives whole");
  }
  co_await at(neighbour).now<end_computing>();
  co_await quiescence();
  expect(co_await at(busy).now<how_many_kept>() == neighbour * (floods + 1), "what was sent to the busy PE arrives");
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
