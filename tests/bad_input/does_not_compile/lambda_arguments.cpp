// wants: the lambda cannot be called with these arguments
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  at(0).past([](std::string s) { (void)s; }, 5, 6);
  co_return 0;
}
