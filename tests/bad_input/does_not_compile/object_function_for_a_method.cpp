// wants: a_function_is_no_method_of<node, .*link
#include <unistd.h>

#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct node : object<node> {
  void link(int other) { (void)other; }
};

task<int> program(arguments) {
  create<node>(at(0)).past<&link>(1);
  co_return 0;
}
