// `tsubu machines`: which machines there are to simulate.
#pragma once

#include <string>

namespace tsubu::command {

// Lists them, or tells the main figures of one. Returns the exit code.
int machines(const std::string& name);

}  // namespace tsubu::command
