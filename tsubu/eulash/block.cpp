#include "tsubu/eulash/block.hpp"

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

void check_inside(const block& of, std::uint64_t at, std::uint64_t n) {
  require(at <= of.size() && n <= of.size() - at, "an access to {} bytes at {} of a block of {} bytes", n, at,
          of.size());
}

}  // namespace

std::uint64_t atomic_change::apply(void* at) const {
  return for_bytes(bytes, [&]<class T>(T) { return apply_to<T>(at, *this); });
}

std::uint64_t atomic_change::apply_at_once(void* at) const {
  return for_bytes(bytes, [&]<class T>(T) { return apply_at_once_to<T>(at, *this); });
}

void block::unmark() const { unmark_lines(in_, offset_, bytes_); }

void block::check_place() const {
  const std::uint64_t span = views->where.span();
  require(bytes_ != 0 && offset_ % EULASH_LINE == 0 && offset_ < span && bytes_ <= span - offset_,
          "a block of {} bytes at {} arrives, which is no place in shared memory", bytes_, offset_);
}

std::string loading::run(const block& from, std::uint32_t at, std::uint32_t n) {
  check_inside(from, at, n);
  return std::string(from.data() + at, n);
}

void storing::run(block& to, std::uint32_t at, const std::string& bytes) {
  check_inside(to, at, bytes.size());
  std::memcpy(to.data() + at, bytes.data(), bytes.size());
}

std::uint64_t changing_atomically::run(block& of, std::uint32_t at, const atomic_change& change) {
  check_inside(of, at, change.bytes);
  return change.apply(of.data() + at);
}

bool can_read(data::key of) {
  return data::value_at_once<block, data::reading>(data::this_space(), place_of_block{of}) != nullptr;
}

bool can_write(data::key of) {
  return data::value_at_once<block, storing>(data::this_space(), place_of_block{of}) != nullptr;
}

}  // namespace tsubu::placed
