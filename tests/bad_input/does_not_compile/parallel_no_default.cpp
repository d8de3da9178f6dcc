// wants: what the body returns has no default value
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct least {
  explicit least(int n) : value(n) {}
  int value;
};
const auto lower = [](least a, least b) { return a.value < b.value ? a : b; };

task<int> program(arguments) {
  co_await parallel_reduce(std::views::iota(0, 3), 1, lower, [](int i) { return least(i); });
  co_return 0;
}
