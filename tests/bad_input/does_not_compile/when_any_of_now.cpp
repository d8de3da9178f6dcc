// wants: future\(\) rather than now\(\)
#include "tsubu/tsubu.hpp"

using namespace tsubu;

int twice(int x) { return 2 * x; }

task<int> program(arguments) {
  co_await when_any(at(0).now<twice>(1), at(1).now<twice>(2));
  co_return 0;
}
