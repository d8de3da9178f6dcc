// Several containers saved together, so that what is brought back is of one moment.
//
//   co_await checkpoint("state", words, longest, round_done);      // by every PE
//   ..
//   co_await restore("state", words, longest, round_done);          // in another job: all of them, or none
#pragma once

#include <concepts>
#include <source_location>
#include <string>
#include <utility>

#include "tsubu/containers/saving/save.hpp"

namespace tsubu {

namespace containers {

// A folder, and the line of the program that names it.
struct named_folder {
  template <std::convertible_to<std::string> Name>
  named_folder(Name given, std::source_location here = std::source_location::current())
      : name(std::move(given)), where(here) {}

  std::string name;
  std::source_location where;
};

}  // namespace containers

// As save() of each container, in one folder: if the job ends meanwhile, however it does, the folder has what all of
// them had before, or what all of them have now.
// Collective; blocks until nothing is left to do on any PE, and all is on the disk; throws data_file_error, on every
// PE.
template <class... C>
task<void> checkpoint(containers::named_folder folder, const C&... all) {
  return containers::save_all(std::move(folder.name), containers::kept_of(all...), folder.where);
}

// Brings back what checkpoint() has saved, by any number of PEs, into containers that have nothing; the same types in
// the same order.
// Collective; blocks until all is there; throws data_file_error, on every PE, if not all is whole and of these types:
// then nothing has been brought back.
template <class... C>
task<void> restore(containers::named_folder folder, const C&... all) {
  return containers::load_all(std::move(folder.name), containers::kept_of(all...), folder.where);
}

}  // namespace tsubu
