// wants: not a constant expression
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  say("{} of {}", 1);
  co_return 0;
}
