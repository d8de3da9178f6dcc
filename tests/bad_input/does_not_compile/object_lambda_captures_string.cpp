// wants: only a lambda whose captures are trivially copyable can be sent
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct box : object<box> {
  int n = 0;
};

task<int> program(arguments) {
  std::string name = "grain";
  create<box>(here()).past([name](box& it) { it.n += static_cast<int>(name.size()); });
  co_return 0;
}
