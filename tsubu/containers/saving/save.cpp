#include "tsubu/containers/saving/save.hpp"

#include <algorithm>
#include <cereal/cereal.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "tsubu/containers/files/error.hpp"
#include "tsubu/containers/saving/data_type.hpp"
#include "tsubu/containers/saving/first_error.hpp"
#include "tsubu/containers/saving/state_folder.hpp"
#include "tsubu/containers/saving/write_state.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/memory/parts.hpp"
#include "tsubu/remote/termination/quiescence.hpp"

namespace tsubu::containers {
namespace {

// Elements as bytes, on the way to their home.
struct moved_elements {
  std::uint64_t count = 0;
  std::vector<std::byte> bytes;

  template <class Archive>
  void serialize(Archive& a) {
    a(count, bytes);
  }
};
using for_pes = std::vector<moved_elements>;

void check_types(const state_folder& folder, const saved_state& state, const kept_containers& containers) {
  if (!state.containers.empty() && !suffix_of(state.containers[0].type).empty())
    disk::refuse(folder.list(), "tells of " + described(state.containers[0].type) + ", and of no saved containers");
  if (state.containers.size() != containers.size()) {
    disk::refuse(folder.list(), "tells of " + std::to_string(state.containers.size()) + " containers, and " +
                                    std::to_string(containers.size()) + " are to be brought back");
  }
  for (std::size_t i = 0; i < containers.size(); ++i) {
    if (state.containers[i].type == containers[i]->type()) continue;
    disk::refuse(folder.list(), "container " + std::to_string(i + 1) + " is a " + state.containers[i].type +
                                    ", and is to be brought back as a " + containers[i]->type());
  }
}

[[noreturn]] void refuse_elements(const std::string& file, const kept_container& container, const char* why) {
  disk::refuse(file, "its elements are not those of a " + container.type() + ": " + why);
}

// Every element is read, so that whoever gets it can.
void cut_part(const kept_container& container, const std::string& file, const std::vector<std::byte>& bytes,
              const saved_part& part, saved_place place, for_pes& cut) {
  wire::reader in(bytes.data(), bytes.data() + bytes.size());
  try {
    for (std::uint64_t i = 0; i < part.elements; ++i, ++place.at) {
      const std::byte* const begin = in.next();
      const pe_id home = container.home(in, place);
      require(home >= 0 && home < pe_count(), "the home of a key is PE {} of {}", home, pe_count());
      moved_elements& moved = cut[static_cast<std::size_t>(home)];
      moved.bytes.insert(moved.bytes.end(), begin, in.next());
      ++moved.count;
    }
  } catch (const wire::bad_bytes& error) {
    refuse_elements(file, container, error.what());
  } catch (const cereal::Exception& error) {
    refuse_elements(file, container, error.what());
  }
  if (in.left() != 0) refuse_elements(file, container, "bytes are left");
}

// What one container's parts have that are this PE's to read.
for_pes read_parts(const state_folder& folder, const saved_state& state, std::size_t which,
                   const kept_container& container) {
  const std::vector<saved_part>& parts = state.containers[which].parts;
  for_pes cut(static_cast<std::size_t>(pe_count()));
  const remote::part mine = part_of(parts.size());
  saved_place place{0, parts.size(), 0, 0};
  for (const saved_part& part : parts) place.all += part.elements;
  for (; place.part < mine.to(); ++place.part) {
    const saved_part& part = parts[place.part];
    if (place.part >= mine.from()) {
      const std::string file = folder.part(state.number, which, place.part);
      cut_part(container, file, read_part(file, part, folder.list()), part, place, cut);
    }
    place.at += part.elements;
  }
  return cut;
}

void check_empty(const std::string& folder, const kept_containers& containers) {
  for (const auto& container : containers) {
    if (container->size_here() == 0) continue;
    disk::refuse(folder, "a " + container->type() + " has elements on PE " + std::to_string(this_pe()) +
                             " already: what was saved is brought back into empty containers");
  }
}

void insert_all(const kept_container& container, const for_pes& come) {
  for (const moved_elements& moved : come) {
    wire::reader in(moved.bytes.data(), moved.bytes.data() + moved.bytes.size());
    for (std::uint64_t i = 0; i < moved.count; ++i) container.insert(in);
  }
}

}  // namespace

task<void> save_all(std::string name, kept_containers containers, std::source_location where) {
  // Whoever still sends does so before it calls this; then all of it is done.
  co_await barrier(where);
  co_await quiescence();
  std::vector<written_as> parts;
  for (const auto& container : containers)
    parts.push_back({container->type(), [from = container.get()](part_writer& to) { from->write(to); }});
  state_folder folder(std::move(name));
  co_await write_state(std::move(folder), std::move(parts), where);
}

task<void> load_all(std::string name, kept_containers containers, std::source_location where) {
  co_await barrier(where);
  const state_folder folder(name);
  saved_state state;
  std::string error;
  if (this_pe() == 0) {
    error = what_goes_wrong([&] {
      state = folder.read();
      check_types(folder, state, containers);
    });
  }
  error = co_await broadcast(std::move(error), 0, where);
  if (!error.empty()) throw data_file_error(error);
  state = co_await broadcast(std::move(state), 0, where);

  // Nothing is brought back before all parts are known to be whole.
  std::vector<for_pes> cut;
  error = what_goes_wrong([&] {
    check_empty(name, containers);
    for (std::size_t i = 0; i < containers.size(); ++i) cut.push_back(read_parts(folder, state, i, *containers[i]));
  });
  error = co_await all_reduce(std::move(error), first_error(), where);
  if (!error.empty()) throw data_file_error(error);
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const for_pes come = co_await all_to_all(std::move(cut[i]), where);
    insert_all(*containers[i], come);
  }
  co_await barrier(where);
}

}  // namespace tsubu::containers
