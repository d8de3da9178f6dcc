// The atomic operations of threads.h. After some of them the thread lets others run: a loop that waits for a value
// would else keep what is to change it from running.
#include "tsubu/eulash/access.hpp"
#include "tsubu/eulash/races.hpp"
#include "tsubu/eulash/threads.h"

namespace tsubu::placed {
namespace {

void count_atomic() {
  constexpr unsigned atomics_in_a_row = 16;
  if (running == nullptr || ++running->atomics < atomics_in_a_row) return;
  running->atomics = 0;
  let_others_run();
}

}  // namespace
}  // namespace tsubu::placed

using namespace tsubu::placed;

extern "C" {

std::uint64_t eulash_atomic(volatile void* p, std::size_t n, enum eulash_atomic_operation what, std::uint64_t operand) {
  count_atomic();
  const atomic_change change{operand, 0, static_cast<std::uint8_t>(n), static_cast<std::uint8_t>(what)};
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  begin_atomic(address, n, what != eulash_atomic_load);
  const std::uint64_t value = change_atomically(address, change);
  end_atomic(address);
  return value;
}

int eulash_compare_exchange(volatile void* p, std::size_t n, void* expected, std::uint64_t desired) {
  count_atomic();
  std::uint64_t wanted = 0;
  copy_out(reinterpret_cast<std::uintptr_t>(expected), &wanted, n);
  const atomic_change change{desired, wanted, static_cast<std::uint8_t>(n), atomic_change::compare_exchange};
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  begin_atomic(address, n, true);
  const std::uint64_t before = change_atomically(address, change);
  end_atomic(address);
  if (before == wanted) return 1;
  eulash_store(expected, &before, n);
  return 0;
}

}  // extern "C"
