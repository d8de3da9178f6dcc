// wants: no matching (member )?function for call to.*now
#include "tsubu/tsubu.hpp"

using namespace tsubu;

int area(int side) { return side * side; }
double area(double side) { return side * side; }

task<int> program(arguments) {
  co_await at(0).now<area>(2);
  co_return 0;
}
