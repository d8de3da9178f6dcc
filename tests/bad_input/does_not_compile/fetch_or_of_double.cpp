// wants: fetch_and, fetch_or and fetch_xor need an integer
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  co_await global_ptr<double>().fetch_or(1);
  co_return 0;
}
