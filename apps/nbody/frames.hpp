// Pictures of the bodies, a file each, that ParaView and VisIt show as a film.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "apps/nbody/body.hpp"
#include "tsubu/tsubu.hpp"

namespace nbody {

// Writes the bodies of all PEs, by number, with their speed, to DIRECTORY/frame_00007.vtk (7: `number`), legacy VTK
// polydata; makes the directory if it is not there. PE 0 writes. Returns what went wrong, or nothing. Collective; the
// same on every PE.
tsubu::task<std::string> write_frame(std::filesystem::path directory, std::int64_t number,
                                     const std::vector<body>* bodies);

}  // namespace nbody
