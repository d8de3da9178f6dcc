// wants: a parameter cannot travel: pointers and views
#include "tsubu/tsubu.hpp"

using namespace tsubu;

long length(const char* text) { return text[0]; }

task<int> program(arguments) {
  co_await at(0).now<length>("grain");
  co_return 0;
}
