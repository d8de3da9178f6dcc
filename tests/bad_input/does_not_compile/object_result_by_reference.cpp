// wants: method_returns_a_reference
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct box : object<box> {
  int value = 0;
  int& look() { return value; }
};

task<int> program(arguments) {
  const ref<box> b = create<box>(here());
  co_await b.now<&box::look>();
  co_return 0;
}
