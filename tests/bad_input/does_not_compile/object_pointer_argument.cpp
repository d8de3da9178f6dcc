// wants: argument_of_method_cannot_travel<.*counter::add.*1.*char
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct counter : object<counter> {
  void add(const char* text) { n += text[0]; }
  long n = 0;
};

task<int> program(arguments) {
  create<counter>(at(0)).past<&counter::add>("five");
  co_return 0;
}
