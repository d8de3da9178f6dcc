// wants: it is sent when it is awaited, or has a notification
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  const std::vector<int> values(10);
  global_ptr<int>().write(values);
  co_return 0;
}
