// wants: a plain function is called by a lambda
#include "tsubu/tsubu.hpp"

using namespace tsubu;

int larger(int a, int b) { return a > b ? a : b; }

task<int> program(arguments) {
  co_await parallel_reduce(std::views::iota(0, 3), 1, larger, [](int i) { return i; });
  co_return 0;
}
