// How a shared variable moves between the PEs that use it. The names are Munin's and EULASH's.
//
// The program may say it for each variable, and may change it while the job runs: results are the same under every one
// of them, only the traffic differs (docs/data.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tsubu {

enum class protocol : std::uint8_t {
  global,      // the value stays at its home; who is elsewhere asks for each access
  mobile,      // the value goes to whoever accesses it; there is never a second one
  update,      // readers keep copies; a write sends them the new value
  invalidate,  // readers keep copies; a writer gets the only one, and writes it without a message
  accumulate,  // the value stays at its home; what a PE adds to it is added up there before it is sent
  adaptive,    // the home watches who reads and writes, and chooses among the first four
};
// How many there are.
inline constexpr std::uint8_t protocols = 6;

// The name of a protocol, as it is written here.
// Local; does not block; throws nothing.
constexpr std::string_view name_of(protocol p) {
  constexpr std::string_view names[] = {"global", "mobile", "update", "invalidate", "accumulate", "adaptive"};
  return names[static_cast<std::uint8_t>(p)];
}

// The protocol of that name, if there is one.
// Local; does not block; gives nothing for a name that is none.
constexpr std::optional<protocol> protocol_named(std::string_view name) {
  for (std::uint8_t i = 0; i < protocols; ++i) {
    if (name_of(protocol{i}) == name) return protocol{i};
  }
  return std::nullopt;
}

}  // namespace tsubu
