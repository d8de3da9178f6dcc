// What a job's settings say of shared data.
//
// They stand apart from the space of the data, so that a program without any can be configured and links none of it.
#pragma once

#include <cstddef>

namespace tsubu::data {

struct space_settings {
  std::size_t memory_bytes = ~std::size_t{0};       // of a PE, for the values of arrays
  std::size_t spill_bytes = std::size_t{64} << 30;  // of a PE, in the file behind it
  bool tell = false;                                // at the end, what the file was used for
};

// What the space of the PE that runs this begins with; before its first use there. Local.
void configure(const space_settings& settings);

// What configure() was given on this PE, or what holds where nothing was.
const space_settings& configured();

}  // namespace tsubu::data
