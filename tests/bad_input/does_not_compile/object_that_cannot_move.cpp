// wants: an object that moves needs a default constructor and a cereal serialize
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct counter : object<counter> {
  explicit counter(long from) : n(from) {}
  std::vector<long> more;
  long n;
};

task<int> program(arguments) {
  co_await create<counter>(at(0), 1L).move_to(1);
  co_return 0;
}
