// wants: an argument cannot travel: pointers and views
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  co_await at(0).now([](const char* text) { return text[0]; }, "grain");
  co_return 0;
}
