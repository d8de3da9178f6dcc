// wants: the lambda cannot be called with the object and these arguments
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct box : object<box> {};

task<int> program(arguments) {
  co_await create<box>(here()).now([](int x) { return x; }, 5);
  co_return 0;
}
