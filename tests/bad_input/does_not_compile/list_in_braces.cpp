// wants: a list in braces has no type: write that of the parameter
#include "tsubu/tsubu.hpp"

using namespace tsubu;

long sum(std::vector<int> of) { return static_cast<long>(of.size()); }

task<int> program(arguments) { co_return static_cast<int>(co_await at(0).now<sum>({1, 2, 3})); }
