#include "tsubu/eulash/atomic_change.hpp"

#include <cstring>

#include "tsubu/base/check.hpp"
#include "tsubu/eulash/threads.h"

namespace tsubu::placed {
namespace {

template <class T>
std::uint64_t apply_to(void* at, const atomic_change& c) {
  T before;
  std::memcpy(&before, at, sizeof before);
  const auto by = static_cast<T>(c.operand);
  T after = before;
  switch (c.what) {
    case eulash_atomic_load:
      return before;
    case eulash_atomic_exchange:
      after = by;
      break;
    case eulash_atomic_add:
      after = static_cast<T>(before + by);
      break;
    case eulash_atomic_sub:
      after = static_cast<T>(before - by);
      break;
    case eulash_atomic_and:
      after = before & by;
      break;
    case eulash_atomic_or:
      after = before | by;
      break;
    case eulash_atomic_xor:
      after = before ^ by;
      break;
    case eulash_atomic_nand:
      after = static_cast<T>(~(before & by));
      break;
    case atomic_change::compare_exchange:
      if (before == static_cast<T>(c.expected)) after = by;
      break;
    default:
      fail("an atomic operation of an unknown kind arrives");
  }
  std::memcpy(at, &after, sizeof after);
  return before;
}

// The same, as one operation of the machine.
template <class T>
std::uint64_t apply_at_once_to(void* at, const atomic_change& c) {
  T* const to = static_cast<T*>(at);
  const auto by = static_cast<T>(c.operand);
  auto expected = static_cast<T>(c.expected);
  switch (c.what) {
    case eulash_atomic_load:
      return __atomic_load_n(to, __ATOMIC_SEQ_CST);
    case eulash_atomic_exchange:
      return __atomic_exchange_n(to, by, __ATOMIC_SEQ_CST);
    case eulash_atomic_add:
      return __atomic_fetch_add(to, by, __ATOMIC_SEQ_CST);
    case eulash_atomic_sub:
      return __atomic_fetch_sub(to, by, __ATOMIC_SEQ_CST);
    case eulash_atomic_and:
      return __atomic_fetch_and(to, by, __ATOMIC_SEQ_CST);
    case eulash_atomic_or:
      return __atomic_fetch_or(to, by, __ATOMIC_SEQ_CST);
    case eulash_atomic_xor:
      return __atomic_fetch_xor(to, by, __ATOMIC_SEQ_CST);
    case eulash_atomic_nand:
      return __atomic_fetch_nand(to, by, __ATOMIC_SEQ_CST);
    case atomic_change::compare_exchange:
      __atomic_compare_exchange_n(to, &expected, by, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
      return expected;
    default:
      fail("an atomic operation of an unknown kind");
  }
}

// f(T()) for the unsigned type of so many bytes.
template <class F>
std::uint64_t for_bytes(std::uint8_t bytes, F f) {
  switch (bytes) {
    case 1:
      return f(std::uint8_t());
    case 2:
      return f(std::uint16_t());
    case 4:
      return f(std::uint32_t());
    case 8:
      return f(std::uint64_t());
    default:
      fail("an atomic operation on other than 1, 2, 4 or 8 bytes");
  }
}

}  // namespace

std::uint64_t atomic_change::apply(void* at) const {
  return for_bytes(bytes, [&]<class T>(T) { return apply_to<T>(at, *this); });
}

std::uint64_t atomic_change::apply_at_once(void* at) const {
  return for_bytes(bytes, [&]<class T>(T) { return apply_at_once_to<T>(at, *this); });
}

}  // namespace tsubu::placed
