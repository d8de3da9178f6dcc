// What can be asked of a counter.
#pragma once

#include <cstdint>

namespace tsubu::data {

enum class counter_operation : std::uint8_t { read, fetch_decrement, write, until_zero };

}  // namespace tsubu::data
