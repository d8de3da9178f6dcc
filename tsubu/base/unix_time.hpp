// The clock of the machine, which says what people and other programs call the time. It may be set, forwards and
// backwards: how long something takes, now_ns() says (clock.hpp).
#pragma once

#include <cstdint>

namespace tsubu {

// Milliseconds since 1970 began. In a simulated job too it is the clock of the machine that simulates.
// Local; does not block; throws nothing.
std::int64_t unix_ms();

}  // namespace tsubu
