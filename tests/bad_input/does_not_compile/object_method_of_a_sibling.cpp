// wants: object_has_no_method<shape, .*circle::radius
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct shape : object<shape> {
  virtual ~shape() = default;
};
struct circle : shape {
  double radius() { return 1; }
};

task<int> program(arguments) {
  const ref<shape> s = create<circle>(here());
  co_await s.now<&circle::radius>();
  co_return 0;
}
