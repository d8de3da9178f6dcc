// Tasks of one PE: cheap, many, and switched only where the source says co_await.
//
// Nothing here sends a message. A PE runs one task at a time, so shared variables need no locks.
#include <tsubu/tsubu.hpp>

#include <chrono>
#include <cstdio>
#include <vector>

using namespace tsubu;
using namespace std::chrono_literals;

// A first-in first-out buffer between tasks. (<unistd.h> has a sync() too, so this one is named in full.)
using channel = tsubu::sync<int>;

constexpr int items = 1000;
constexpr int end_of_items = -1;

task<void> produce(channel& out, int from) {
  for (int i = from; i < items; i += 2) {
    out.write(i);                                // never waits
    if (i % 100 == 0) co_await sleep_for(10us);  // the others run meanwhile
  }
  out.write(end_of_items);
}

task<long> consume(channel& in) {
  long sum = 0;
  for (int ends = 0; ends < 2;) {
    const int item = co_await in.read();  // waits while it is empty
    if (item == end_of_items)
      ++ends;
    else
      sum += item;
  }
  co_return sum;
}

task<long> fibonacci(int n) {
  if (n < 2) co_return n;
  co_return co_await fibonacci(n - 1) + co_await fibonacci(n - 2);
}

task<void> add_after(std::chrono::milliseconds time, int n, std::vector<int>& order) {
  co_await sleep_for(time);
  order.push_back(n);
}

task<int> program(arguments) {
  // Starts all three and waits for all three. The results come as a tuple.
  channel between;
  auto all = co_await when_all(produce(between, 0), produce(between, 1), consume(between));
  const long sum = std::get<2>(all);
  bool right = sum == long{items} * (items - 1) / 2;

  // A task that never waits costs little more than a call.
  right = right && co_await fibonacci(15) == 610;

  // A scope owns tasks that are started one by one and awaited together.
  std::vector<int> order;
  scope sleepers;
  sleepers.spawn(add_after(20ms, 2, order));
  sleepers.spawn(add_after(1ms, 1, order));
  co_await sleepers.join();
  right = right && order == std::vector<int>{1, 2};

  std::printf("%ld\n", sum);
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
