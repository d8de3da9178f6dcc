#include "tsubu/containers/saving/write_state.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

#include "tsubu/containers/saving/first_error.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu::containers {
namespace {

std::vector<saved_part> write_parts(const state_folder& folder, std::uint64_t state,
                                    const std::vector<written_as>& containers) {
  std::vector<saved_part> parts;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    part_writer to(folder.new_part(state, i, static_cast<std::size_t>(this_pe())));
    containers[i].write(to);
    parts.push_back(to.finish());
  }
  return parts;
}

saved_state list_of(std::uint64_t state_number, const std::vector<written_as>& containers,
                    const std::vector<std::vector<saved_part>>& of_pes) {
  saved_state state{state_number, {}};
  for (std::size_t i = 0; i < containers.size(); ++i) {
    saved_container& container = state.containers.emplace_back();
    container.type = containers[i].type;
    for (const std::vector<saved_part>& of_pe : of_pes) container.parts.push_back(of_pe[i]);
  }
  return state;
}

}  // namespace

task<void> write_state(state_folder folder, std::vector<written_as> containers, std::source_location where) {
  std::uint64_t which = 0;
  std::string error;
  const std::string_view type = containers.empty() ? std::string_view() : std::string_view(containers[0].type);
  if (this_pe() == 0) error = what_goes_wrong([&] { which = folder.begin(type); });
  error = co_await broadcast(std::move(error), 0, where);
  if (!error.empty()) throw data_file_error(error);
  which = co_await broadcast(which, 0, where);

  std::vector<saved_part> parts;
  error = what_goes_wrong([&] { parts = write_parts(folder, which, containers); });
  error = co_await all_reduce(std::move(error), first_error(), where);
  const std::vector<std::vector<saved_part>> of_pes = co_await gather(std::move(parts), 0, where);
  if (this_pe() == 0 && error.empty()) {
    error = what_goes_wrong([&] { folder.publish(list_of(which, containers, of_pes)); });
  } else if (this_pe() == 0) {
    folder.discard(which);
  }
  error = co_await broadcast(std::move(error), 0, where);
  if (!error.empty()) throw data_file_error(error);
}

}  // namespace tsubu::containers
