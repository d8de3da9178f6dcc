// wants: parallel_reduce takes what bodies return
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  co_await parallel_for(std::views::iota(0, 3), 1, [](int i) { return i; });
  co_return 0;
}
