// wants: change takes a lambda, or a function by its name
#include "tsubu/tsubu.hpp"

using namespace tsubu;

void increase(long& value) { ++value; }

task<int> program(arguments) {
  const auto x = create_shared(protocol::update, 0L);
  co_await x.change(&increase);
  co_return 0;
}
