// wants: argument_of_method_would_lose_its_fraction
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
  b.past<&box::set>(1.9);
  co_return 0;
}
