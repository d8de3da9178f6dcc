// wants: await it before its elements change or go away
#include "tsubu/tsubu.hpp"

using namespace tsubu;

void came() {}

task<int> program(arguments) {
  const std::vector<int> values(10);
  global_ptr<int>().write(values).notify<came>();
  co_return 0;
}
