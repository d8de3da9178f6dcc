// wants: the class has no constructor for these arguments
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct counter : object<counter> {};

task<int> program(arguments) {
  create<counter>(at(0), std::string("five")).end();
  co_return 0;
}
