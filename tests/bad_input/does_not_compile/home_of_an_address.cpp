// wants: an address is no key
#include "tsubu/tsubu.hpp"

using namespace tsubu;

void came() {}

task<int> program(arguments) {
  const int key = 3;
  co_await at(home_of(&key)).past<came>();
  co_return 0;
}
