// wants: future\(\) rather than now\(\)
#include "tsubu/tsubu.hpp"

using namespace tsubu;

int twice(int x) { return 2 * x; }

task<int> program(arguments) {
  const cancel_source source;
  co_await or_cancelled(source.token(), at(1).now<twice>(2));
  co_return 0;
}
