// Concurrent objects: state with a name that every PE knows, and methods that run one at a time.
//
// A counter is created on another PE, and nobody waits for that. Messages from one sender to one object keep their
// order, so the answer to get() counts what was sent before it.
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <vector>

using namespace tsubu;

struct counter : object<counter> {
  long n = 0;
  counter() = default;
  explicit counter(long start) : n(start) {}
  void add(long k) { n += k; }
  long get() { return n; }
};

// An object that waits for others. While it does, other messages to it queue up: it answers one question at a time.
struct teller : object<teller> {
  std::vector<ref<counter>> urns;
  explicit teller(std::vector<ref<counter>> all) : urns(std::move(all)) {}
  task<long> total() {
    long sum = 0;
    for (const long of_one : co_await now_all<&counter::get>(urns)) sum += of_one;
    co_return sum;
  }
};

task<int> program(arguments) {
  // A message each; sent in batches.
  const ref<counter> far = create<counter>(at(pe_count() - 1));
  for (int i = 0; i < 1'000'000; ++i) far.past<&counter::add>(1);
  const long n = co_await far.now<&counter::get>();
  std::printf("%ld on PE %d\n", n, far.pe());
  bool right = n == 1'000'000;

  // A reference is a value: it travels in messages, and names the same object everywhere.
  std::vector<ref<counter>> urns;
  for (pe_id pe = 0; pe < pe_count(); ++pe) urns.push_back(create<counter>(at(pe), 100L * pe));
  const ref<teller> knows_all = create<teller>(anywhere(), urns);
  const auto to_each = [urns]() -> task<void> {
    for (const ref<counter>& urn : urns) co_await urn.past<&counter::add>(1);
  };
  co_await epoch(to_each);  // all of them have been executed
  const long total = co_await knows_all.now<&teller::total>();
  std::printf("%ld in all\n", total);
  right = right && total == 50L * pe_count() * (pe_count() - 1) + pe_count();

  // Where new objects go may be left to a policy: here each PE gets one in turn.
  const anywhere in_turn(placement::round_robin);
  std::vector<int> made(static_cast<std::size_t>(pe_count()));
  for (pe_id pe = 0; pe < pe_count(); ++pe) ++made[static_cast<std::size_t>(create<counter>(in_turn).pe())];
  for (const int on_one : made) right = right && on_one == 1;

  // Two questions at a time.
  const auto [first, last] = co_await both(urns.front().now<&counter::get>(), urns.back().now<&counter::get>());
  right = right && first == 1 && last == 100L * (pe_count() - 1) + 1;
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
