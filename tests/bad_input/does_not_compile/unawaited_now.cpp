// wants: ignoring return(ed)? value
#include "tsubu/tsubu.hpp"

using namespace tsubu;

int twice(int a) { return 2 * a; }

task<int> program(arguments) {
  at(0).now<twice>(1);
  co_return 0;
}
