// wants: change takes a function by its name
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  const auto x = create_shared(protocol::update, 0L);
  co_await x.change([](long& value) { ++value; });
  co_return 0;
}
