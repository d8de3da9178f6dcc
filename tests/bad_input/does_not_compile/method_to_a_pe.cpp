// wants: a method is not sent to a PE
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct box : object<box> {
  int get() { return 1; }
};

task<int> program(arguments) {
  co_await at(0).now<&box::get>();
  co_return 0;
}
