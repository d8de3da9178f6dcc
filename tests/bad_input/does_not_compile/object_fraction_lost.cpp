// wants: argument_of_method_would_lose_its_fraction
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct box : object<box> {
  void set(int) {}
};

task<int> program(arguments) {
  const ref<box> b = create<box>(here());
  b.past<&box::set>(1.9);
  co_return 0;
}
