// wants: method_takes_another_number_of_arguments<.*counter::add.*1.*2
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct counter : object<counter> {
  void add(long k) { n += k; }
  long n = 0;
};

task<int> program(arguments) {
  co_await create<counter>(at(0)).now<&counter::add>(1, 2);
  co_return 0;
}
