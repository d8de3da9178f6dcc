// wants: what owns memory goes into a pe_local
#include "tsubu/tsubu.hpp"

using namespace tsubu;

task<int> program(arguments) {
  std::vector<int> table(3);
  co_await parallel_for(std::views::iota(0, 3), 1, [table](int i) { (void)table[static_cast<std::size_t>(i)]; });
  co_return 0;
}
