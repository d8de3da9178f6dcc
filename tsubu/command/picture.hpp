// Pictures, by python3 and matplotlib, where they are.
#pragma once

#include <string>
#include <string_view>

#include "tsubu/command/child.hpp"

namespace tsubu::command {

// Runs one of the scripts in tools/: `script FILE FOLDER` draws that file. Returns "", or why there is no picture.
std::string draw_by(std::string_view script, const std::string& file, const std::string& folder, const workplace& here);

}  // namespace tsubu::command
