// A new state of a folder: each PE writes its part files, and then PE 0 the list of all.
#pragma once

#include <functional>
#include <source_location>
#include <string>
#include <vector>

#include "tsubu/containers/saving/part_file.hpp"
#include "tsubu/containers/saving/state_folder.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::containers {

// What stands in the list, and what puts the elements that this PE has into its part file.
struct written_as {
  std::string type;
  std::function<void(part_writer&)> write;
};

// Collective. All parts become the state that the folder has, or nothing happens and every PE throws data_file_error.
task<void> write_state(state_folder folder, std::vector<written_as> containers, std::source_location where);

}  // namespace tsubu::containers
