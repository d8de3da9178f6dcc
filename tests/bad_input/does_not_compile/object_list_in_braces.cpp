// wants: a list in braces has no type: write that of the parameter
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct box : object<box> {
  void fill(std::vector<int> with) { (void)with; }
};

task<int> program(arguments) {
  create<box>(at(0)).past<&box::fill>({1, 2, 3});
  co_return 0;
}
