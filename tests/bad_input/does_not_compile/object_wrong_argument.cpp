// wants: method_cannot_take_argument<.*counter::add.*1.*std::.*string
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct counter : object<counter> {
  void add(long k) { n += k; }
  long n = 0;
};

task<int> program(arguments) {
  create<counter>(at(0)).past<&counter::add>(std::string("five"));
  co_return 0;
}
