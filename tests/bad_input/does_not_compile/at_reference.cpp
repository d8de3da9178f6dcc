// wants: without at\(\)
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct box : object<box> {
  int get() { return 1; }
};

task<int> program(arguments) {
  const ref<box> b = create<box>(here());
  co_await at(b).now<&box::get>();
  co_return 0;
}
