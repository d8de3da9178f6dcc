// wants: a method is not sent to a PE
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct box : object<box> {
  int get() { return 1; }
};

task<int> program(arguments) {
  const std::vector<int> values(10);
  co_await global_ptr<int>().write(values).notify<&box::get>();
  co_return 0;
}
