// The end of the program: (exit v) has been called.
#pragma once

#include <atomic>
#include <stdexcept>

#include "tsubu/remote/messages/register_exception.hpp"

namespace abcl {

// Whoever sends or creates then is unwound by this, up to the message that it handles.
struct program_ends : std::runtime_error {
  using std::runtime_error::runtime_error;
  program_ends() : std::runtime_error("the program ends") {}
};
inline const bool program_ends_travels = tsubu::register_exception<program_ends>();

// For all PEs of this process.
inline constinit std::atomic<bool> ending{false};

}  // namespace abcl
