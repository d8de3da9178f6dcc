// wants: the number of arguments is not that of the function's parameters
#include "tsubu/tsubu.hpp"

using namespace tsubu;

int twice(int a) { return 2 * a; }

task<int> program(arguments) { co_return co_await at(0).now<twice>(1, 2); }
