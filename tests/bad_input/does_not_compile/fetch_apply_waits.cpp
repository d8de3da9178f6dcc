// wants: fetch_apply<f>\(v\) makes the value f\(value, v\), at once
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<long> add(long a, long b) { co_return a + b; }

task<int> program(arguments) {
  co_await global_ptr<long>().fetch_apply<add>(1L);
  co_return 0;
}
