// wants: only trivially copyable values are read and written as bytes; call a method instead
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  auto p = co_await allocate<std::string>(0);
  co_await p.write(std::string("grain"));
  co_return 0;
}
