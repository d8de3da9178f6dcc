// wants: a line takes numbers, texts, and types that have a to_string
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct board {};

task<int> program(arguments) {
  say("{}", board());
  co_return 0;
}
