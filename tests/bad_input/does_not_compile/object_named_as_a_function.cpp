// wants: create<T> takes a class, and that is a function's name
#include <unistd.h>

#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct link : object<struct link> {};

task<int> program(arguments) {
  create<link>(at(0)).end();
  co_return 0;
}
