// Fibers: for plain functions that must wait.
//
// std::sort calls its comparison as a plain function, which cannot co_await. In a fiber it can wait():
// the fiber is set aside with its stack, and the other tasks of the PE run until the reply is there.
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <vector>

using namespace tsubu;

// The weights are spread over the PEs: PE i % pe_count() knows the weight of thing i.
int weight(int thing) { return (thing * 37) % 101; }

bool is_lighter(int a, int b) {
  const int weight_of_a = wait(at(a % pe_count()).now<weight>(a));
  const int weight_of_b = wait(at(b % pe_count()).now<weight>(b));
  return weight_of_a < weight_of_b;
}

std::vector<int> sorted(std::vector<int> things) {
  std::sort(things.begin(), things.end(), is_lighter);
  return things;
}

task<int> tick(const bool& done) {
  int ticks = 0;
  while (!done) {
    co_await sleep_for(std::chrono::microseconds(1));
    ++ticks;
  }
  co_return ticks;
}

task<std::vector<int>> sort_in_fiber(std::vector<int> things, bool& done) {
  std::vector<int> result = co_await run_fiber(sorted, std::move(things));
  done = true;
  co_return result;
}

task<int> program(arguments) {
  std::vector<int> things(50);
  std::iota(things.begin(), things.end(), 0);

  // The other task runs while the fiber waits.
  bool done = false;
  auto both = co_await when_all(sort_in_fiber(things, done), tick(done));
  const std::vector<int>& order = std::get<0>(both);
  const int ticks = std::get<1>(both);

  std::printf("lightest %d, heaviest %d; the other task ticked %d times\n", order.front(), order.back(), ticks);
  const bool in_order = std::is_sorted(order.begin(), order.end(), [](int a, int b) { return weight(a) < weight(b); });
  const bool right = in_order && ticks > 0;
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
