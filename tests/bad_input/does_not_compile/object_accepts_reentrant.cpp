// wants: a reentrant method is never waited for
#include "tsubu/tsubu.hpp"

using namespace tsubu;

struct counter : object<counter> {
  long get() { return 1; }
  task<void> wait();
};
template <>
inline constexpr bool tsubu::reentrant<&counter::get> = true;
task<void> counter::wait() { co_await accept<&counter::get>(); }

task<int> program(arguments) {
  co_await create<counter>(at(0)).now<&counter::wait>();
  co_return 0;
}
