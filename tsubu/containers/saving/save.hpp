// Containers that are written to the disk, and brought back, on other PEs and another transport if need be.
#pragma once

#include <source_location>
#include <string>

#include "tsubu/containers/saving/kept_container.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::containers {

// Collective. What the containers have when nothing is left to do on any PE becomes the state that the folder has, or
// nothing happens and every PE throws data_file_error.
task<void> save_all(std::string folder, kept_containers containers, std::source_location where);

// Collective. Brings back all of a state, or nothing and throws data_file_error on every PE.
task<void> load_all(std::string folder, kept_containers containers, std::source_location where);

}  // namespace tsubu::containers
