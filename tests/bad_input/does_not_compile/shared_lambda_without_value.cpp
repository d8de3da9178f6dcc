// wants: the lambda cannot be called with the value and these arguments
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  const auto x = create_shared(protocol::update, 0L);
  co_await x.change([](std::string& value) { value.clear(); });
  co_return 0;
}
