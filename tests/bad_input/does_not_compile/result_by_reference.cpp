// wants: returns a value, not a reference
#include "tsubu/tsubu.hpp"

using namespace tsubu;

int& where() {
  static int there;
  return there;
}

task<int> program(arguments) { co_return co_await at(0).now<where>(); }
