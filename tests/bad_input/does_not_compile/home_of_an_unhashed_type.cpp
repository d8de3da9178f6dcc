// wants: home_of\(key\) needs a std::hash
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct point {
  int x = 0;
};
void came() {}

task<int> program(arguments) {
  co_await at(home_of(point())).past<came>();
  co_return 0;
}
