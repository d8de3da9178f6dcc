// wants: this key has none: specialise it
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct place {
  int row, column;
  bool operator==(const place&) const = default;
};
void add(place, int) {}

task<int> program(arguments) {
  co_await at(0).past_combining<add>(place{1, 2}, 3);
  co_return 0;
}
