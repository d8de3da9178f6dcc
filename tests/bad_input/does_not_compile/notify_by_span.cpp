// wants: a parameter cannot travel
#include "tsubu/tsubu.hpp"

using namespace tsubu;

void came(std::span<int>) {}

task<int> program(arguments) {
  std::vector<int> values(10);
  co_await global_ptr<int>().write(values).notify<came>(std::span(values));
  co_return 0;
}
