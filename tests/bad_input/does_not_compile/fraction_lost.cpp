// wants: an argument is a floating-point number
#include "tsubu/tsubu.hpp"

using namespace tsubu;

int twice(int x) { return 2 * x; }

task<int> program(arguments) {
  co_await at(0).now<twice>(1.9);
  co_return 0;
}
