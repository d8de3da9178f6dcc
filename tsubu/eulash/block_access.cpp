#include "tsubu/eulash/block_access.hpp"

#include <cstring>

#include "tsubu/base/check.hpp"

namespace tsubu::placed {
namespace {

void check_inside(const block& of, std::uint64_t at, std::uint64_t n) {
  require(at <= of.size() && n <= of.size() - at, "an access to {} bytes at {} of a block of {} bytes", n, at,
          of.size());
}

}  // namespace

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
