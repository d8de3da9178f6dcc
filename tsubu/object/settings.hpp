// What a job's settings say of objects.
//
// They stand apart from the space of objects, so that a program without objects can be configured and links none of it.
#pragma once

#include <cstddef>

namespace tsubu::objects {

struct space_settings {
  std::size_t mailbox_bytes = std::size_t{1} << 30;  // of messages that may wait for their objects on a PE
};

// What the space of the PE that runs this begins with; before its first use there. Local.
void configure(const space_settings& settings);

// What configure() was given on this PE, or what holds where nothing was.
const space_settings& configured();

}  // namespace tsubu::objects
