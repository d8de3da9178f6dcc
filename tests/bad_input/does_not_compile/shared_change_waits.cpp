// wants: a function that changes a shared variable cannot wait
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<void> increase(long& value) {
  co_await yield();
  ++value;
}

task<int> program(arguments) {
  const auto x = create_shared(protocol::update, 0L);
  co_await x.change<increase>();
  co_return 0;
}
