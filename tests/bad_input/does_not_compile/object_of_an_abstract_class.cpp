// wants: an abstract class has no objects: create one of a class derived from it
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct shape : object<shape> {
  virtual double area() = 0;
};

task<int> program(arguments) {
  (void)create<shape>(here());
  co_return 0;
}
