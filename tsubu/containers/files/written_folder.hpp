// What write_lines(), write_csv() and write_records() have in common: a folder with a part file of each PE, and a list
// of them, as a saved state has it (saving/state_folder.hpp). Readers take the folder's name for its part files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tsubu/containers/elements_of.hpp"
#include "tsubu/containers/saving/data_type.hpp"
#include "tsubu/containers/saving/write_state.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::containers {

// A part file, how many bytes the list says it has, and of which type they are.
struct written_file {
  std::string name;
  std::uint64_t bytes;
  std::string type;
};
// The part files in the order of the PEs that wrote them. Throws data_file_error of a folder that has none.
std::vector<written_file> written_files(const std::string& folder);

// What this PE has to write, row by row. Format has type(), begin(part file) and put(part file, row).
// Collective.
template <class Rows, class Format>
task<void> write_folder(std::string name, Rows rows, Format format, std::source_location where) {
  if constexpr (has_here<Rows>) {
    // As save(): whoever still sends does so before it calls this; then all of it is done.
    co_await barrier(where);
    co_await quiescence();
  }
  const auto write = [&rows, &format, where](part_writer& to) {
    format.begin(to);
    for (auto&& row : elements_of(rows, where)) format.put(to, row);
  };
  std::vector<written_as> parts;
  parts.push_back({std::string(format.type()), write});
  state_folder folder(std::move(name), std::string(suffix_of(format.type())));
  co_await write_state(std::move(folder), std::move(parts), where);
}

// The same of a container, which is a name, or of a range, which lives until it has been written.
template <class Rows, class Format>
task<void> write_what(std::string folder, Rows&& rows, Format format, std::source_location where) {
  if constexpr (has_here<Rows>) {
    return write_folder(std::move(folder), std::remove_cvref_t<Rows>(rows), std::move(format), where);
  } else {
    return write_folder(std::move(folder), std::views::all(std::forward<Rows>(rows)), std::move(format), where);
  }
}

// A reader leaves a byte order mark out that a file begins with; so a text that begins with one gets another.
void put_first_text(part_writer& to, std::string_view text);

}  // namespace tsubu::containers
