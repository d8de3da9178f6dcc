#include "tsubu/containers/saving/state_folder.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "tsubu/containers/files/error.hpp"
#include "tsubu/containers/saving/data_type.hpp"
#include "tsubu/containers/saving/disk.hpp"

namespace tsubu::containers {
namespace {

namespace fs = std::filesystem;

// Makes it, unless it is there.
void make_folder(const std::string& name) {
  std::error_code error;
  fs::create_directories(name, error);
  if (error) disk::refuse(name, error.message());
}

std::string text_of_file(const std::string& name) {
  const disk::file file(name, disk::file::kind::to_read);
  std::string text(file.size(), '\0');
  file.read(text.data(), text.size());
  return text;
}

void write_synced(const std::string& name, const std::string& text) {
  const disk::file file(name, disk::file::kind::to_overwrite);
  file.write(text.data(), text.size());
  file.sync();
}

// The number of the state whose part files are in a folder of this name, or have been on the way there.
std::optional<std::uint64_t> state_of(std::string_view name) {
  constexpr std::string_view prefix = "parts.";
  constexpr std::string_view unfinished = ".new";
  std::uint64_t found = 0;
  if (name.ends_with(unfinished)) name.remove_suffix(unfinished.size());
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), found);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return found;
}

// The numbers of all states that have part files in the folder, whole or not. Refuses a folder that has other things:
// what is no longer a state's is removed, so a name that was mistyped would cost more than a line.
std::vector<std::uint64_t> states_in(const std::string& folder, const std::string& list) {
  std::vector<std::uint64_t> states;
  std::error_code error;
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename();
    if (const auto state = state_of(name)) {
      states.push_back(*state);
    } else if (folder + '/' + name != list && folder + '/' + name != list + ".new") {
      disk::refuse(folder, "has \"" + name + "\", which is no part of a saved state: save into a folder of its own");
    }
  }
  if (error) disk::refuse(folder, error.message());
  return states;
}

}  // namespace

// A list that cannot be read may be of a later version, or a file of somebody else's.
void state_folder::refuse_to_replace_others(std::string_view type) const {
  std::error_code error;
  if (fs::symlink_status(list(), error).type() == fs::file_type::not_found) return;
  const saved_state there = read();
  const std::string type_there = there.containers.empty() ? "" : there.containers[0].type;
  if (suffix_of(type_there).empty() == suffix_of(type).empty()) return;
  disk::refuse(list(), "tells of " + described(type_there) + ", which " + described(type) +
                           " would replace: write into a folder of its own");
}

std::uint64_t state_folder::begin(std::string_view type) const {
  make_folder(name_);
  const std::vector<std::uint64_t> states = states_in(name_, list());
  refuse_to_replace_others(type);
  const std::uint64_t next = states.empty() ? 1 : 1 + *std::ranges::max_element(states);
  make_folder(new_parts_of(next));
  return next;
}

void state_folder::publish(const saved_state& state) const {
  try {
    disk::sync_folder(new_parts_of(state.number));
    disk::rename(new_parts_of(state.number), parts_of(state.number));
    write_synced(new_list(), text_of(state));
    disk::rename(new_list(), list());
  } catch (const data_file_error&) {
    discard(state.number);
    throw;
  }
  // From here on the list tells of it, so it stays whatever happens.
  disk::sync_folder(name_);
  disk::sync_folder(fs::absolute(name_).parent_path());
  remove_others(state.number);
}

void state_folder::discard(std::uint64_t state) const {
  std::error_code error;  // what stays now goes with the next state
  fs::remove_all(new_parts_of(state), error);
  fs::remove_all(parts_of(state), error);
  fs::remove(new_list(), error);
}

void state_folder::remove_others(std::uint64_t than) const {
  for (const std::uint64_t other : states_in(name_, list())) {
    if (other != than) discard(other);
  }
}

saved_state state_folder::read() const {
  saved_state state;
  std::string why;
  if (!read_state(text_of_file(list()), state, why)) disk::refuse(list(), why);
  return state;
}

}  // namespace tsubu::containers
