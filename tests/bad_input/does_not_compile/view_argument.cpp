// wants: a parameter cannot travel: pointers and views
#include "tsubu/tsubu.hpp"

using namespace tsubu;

void take(std::string_view text) { (void)text; }

task<int> program(arguments) {
  at(0).past<take>("grain");
  co_return 0;
}
