// What a job's settings say of shared data.
//
// They stand apart from the space of the data, so that a program without any can be configured and links none of it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "tsubu/data/plan/machine_figures.hpp"

namespace tsubu::remote {
class pe;
}

namespace tsubu::data {

class known_sites;  // profile_file.hpp

// What is recorded of the use of shared data, and what earlier jobs have.
struct profile_settings {
  std::string program;                     // its name, without folders
  std::string file;                        // for the profile of this job; empty: none
  std::string used_file;                   // the profile of an earlier one; empty: none
  std::shared_ptr<const known_sites> use;  // what it says
  bool force = false;                      // `file` may replace one that is no profile
  bool tell = false;                       // at the end, what adaptive variables chose
};

struct space_settings {
  std::size_t memory_bytes = ~std::size_t{0};         // of a PE, for the values of arrays
  std::size_t spill_bytes = std::size_t{64} << 30;    // of a PE, in the file behind it
  bool tell = false;                                  // at the end, what the file was used for
  std::shared_ptr<const profile_settings> profile{};  // null: nothing is recorded
  std::string machine{};                              // that the job runs on, as far as it has a name
  std::string machines{};                             // the folder of its file; empty: the usual ones
  figures_source figures = nullptr;                   // what it takes; null: nobody knows
  bool explain = false;                               // what is chosen by itself
};

// What the space of the PE that runs this begins with; before its first use there. Local.
void configure(const space_settings& settings);

// What configure() was given on this PE, or what holds where nothing was.
const space_settings& configured();

// What records, in a program that has shared data.
struct profiler {
  // Reads the file `used_file`. Ends the process with one line if it cannot be used for the program.
  void (*read)(profile_settings& s);
  // On each PE, when it has been configured and before the program begins there.
  void (*begin)(remote::pe& here);
};
// Null in a program without shared data. Set before main(), by who is linked with it.
const profiler*& linked_profiler();

}  // namespace tsubu::data
