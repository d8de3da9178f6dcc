// When keys go: EXPIRE, TTL and their like, and the times that SET may have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apps/kv/command_table.hpp"
#include "apps/kv/store.hpp"

namespace kv {

struct time_unit {
  std::int64_t ms;
  bool from_now;  // or from 1970
};

// EX, PX, EXAT and PXAT, which SET may have; null for any other word.
const time_unit* time_unit_of(std::string_view word);

// The time in milliseconds since 1970. Nothing if no number of 64 bits is it.
std::optional<std::int64_t> when(std::int64_t number, const time_unit& unit, std::int64_t now);

// EXPIRE, PEXPIRE, EXPIREAT, PEXPIREAT, TTL, PTTL, EXPIRETIME, PEXPIRETIME and PERSIST.
void execute_lifetime(command what, words request, store& on, std::int64_t now, std::string& reply);

}  // namespace kv
