// wants: the number of arguments is not that of the function's parameters
#include "tsubu/tsubu.hpp"

using namespace tsubu;

void add(int a, int b) { (void)(a + b); }

task<int> program(arguments) {
  at(0).past<add>(1);
  co_return 0;
}
