// wants: without at\(\)
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct box : object<box> {
  int value = 0;
  int get() { return value; }
  int& look() { return value; }
  void set(int v) { value = v; }
};

task<int> program(arguments) {
  const ref<box> b = create<box>(here());
  co_await at(b).now<&box::get>();
  co_return 0;
}
