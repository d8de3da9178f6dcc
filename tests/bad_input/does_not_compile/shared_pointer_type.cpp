// wants: a shared variable holds a value that can travel
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  int here = 1;
  const auto where = create_shared(protocol::update, &here);
  co_return where.home();
}
