// wants: the function must take the value by reference
#include "tsubu/tsubu.hpp"

using namespace tsubu;

long increased(long value) { return value + 1; }

task<int> program(arguments) {
  const auto x = create_shared(protocol::update, 0L);
  co_return static_cast<int>(co_await x.change<increased>());
}
