// wants: an item cannot travel
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  int x = 0;
  co_await parallel_items(&x, [](int* p, work_items<int*>& more) { more.add(p + 1); });
  co_return 0;
}
