#include "tsubu/containers/files/written_folder.hpp"

#include "tsubu/containers/files/error.hpp"
#include "tsubu/containers/files/piece_reader.hpp"

namespace tsubu::containers {

std::vector<written_file> written_files(const std::string& name) {
  const state_folder as_saved(name);
  const saved_state state = as_saved.read();
  const std::string type = state.containers.empty() ? "" : state.containers[0].type;
  const std::string suffix(suffix_of(type));
  if (suffix.empty())
    disk::refuse(as_saved.list(), "tells of " + described(type) + ", which load() brings back, and of no data files");
  const state_folder folder(name, suffix);
  std::vector<written_file> files;
  for (const saved_part& part : state.containers[0].parts)
    files.push_back({folder.part(state.number, 0, files.size()), part.bytes, type});
  return files;
}

void put_first_text(part_writer& to, std::string_view text) {
  if (text.starts_with(byte_order_mark)) to.put_bytes(byte_order_mark.data(), byte_order_mark.size());
  to.put_bytes(text.data(), text.size());
}

}  // namespace tsubu::containers
