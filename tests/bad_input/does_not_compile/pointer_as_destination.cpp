// wants: a pointer is no destination
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct box {
  int get() { return 1; }
};

task<int> program(arguments) {
  const global_ptr<box> p = co_await allocate<box>(0, 1);
  co_await p.now<&box::get>();
  co_return 0;
}
