// The few names every floor shares.
#pragma once

#include <cstdint>

namespace tsubu {

// Number of a processing element: 0 <= pe < the job's number of PEs.
using pe_id = std::int32_t;

// The number of no PE.
inline constexpr pe_id no_pe = -1;

}  // namespace tsubu
