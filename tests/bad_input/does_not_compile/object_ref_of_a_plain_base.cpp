// wants: a ref becomes a ref of a base class only if that has virtual methods
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct shape : object<shape> {};
struct circle : shape {};

task<int> program(arguments) {
  const ref<shape> s = create<circle>(here());
  co_return s ? 0 : 1;
}
