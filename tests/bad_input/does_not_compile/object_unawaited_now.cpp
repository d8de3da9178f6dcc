// wants: a question is sent when it is awaited
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct counter : object<counter> {
  long get() { return 1; }
};

task<int> program(arguments) {
  create<counter>(at(0)).now<&counter::get>();
  co_return 0;
}
