// wants: the body of a loop is called with an index of its range
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  co_await parallel_for(std::views::iota(0, 3), 1, [](std::string) {});
  co_return 0;
}
