// wants: object_has_no_method<counter, .*other::add
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct other : object<other> {
  void add(long) {}
};
struct counter : object<counter> {};

task<int> program(arguments) {
  create<counter>(at(0)).past<&other::add>(1);
  co_return 0;
}
