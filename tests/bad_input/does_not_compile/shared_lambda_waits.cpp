// wants: a lambda that changes a shared variable cannot wait
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  const auto x = create_shared(protocol::update, 0L);
  co_await x.change([](long& value) -> task<void> {
    ++value;
    co_await yield();
  });
  co_return 0;
}
