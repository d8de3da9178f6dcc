#include "written_files.hpp"

#include <tsubu/containers.hpp>

#include <utility>
#include <vector>

using namespace tsubu;

namespace {

struct numbered {
  std::uint64_t state, place;
};
using row = std::pair<std::uint64_t, std::uint64_t>;

// Some states are longer than those before them, others shorter.
std::uint64_t length_of(std::uint64_t state) { return 2'000 + 3'000 * (state % 3); }

task<std::vector<numbered>> read_own(written_by how, std::string name) {
  std::vector<numbered> mine;
  if (how == written_by::write_csv) {
    auto rows = co_await csv<std::uint64_t, std::uint64_t>(name, "state,place");
    for (const auto& [state, place] : rows) mine.push_back({state, place});
  } else {
    auto all = co_await records<numbered>(name);
    for (const numbered& one : all) mine.push_back(one);
  }
  co_return mine;
}

}  // namespace

task<void> write_state_files(written_by how, std::string name, std::uint64_t state) {
  std::vector<numbered> mine;
  for (const std::size_t place : part_of(length_of(state))) mine.push_back({state, place});
  if (how == written_by::write_csv) {
    std::vector<row> rows;
    for (const auto& [of, place] : mine) rows.emplace_back(of, place);
    co_await write_csv(name, "state,place", rows);
  } else if (how == written_by::write_records) {
    co_await write_records(name, mine);
  } else {
    co_await write_record_file(name, mine);
  }
}

task<std::uint64_t> state_of_files(written_by how, std::string name) {
  std::vector<numbered> all = co_await read_own(how, std::move(name));
  all = co_await gather_concatenated(std::move(all), 0);
  std::uint64_t state = 0;
  if (this_pe() == 0) {
    if (all.empty()) fail("no state is there");
    state = all[0].state;
    bool right = all.size() == length_of(state);
    for (std::size_t place = 0; place < all.size(); ++place)
      right = right && all[place].state == state && all[place].place == place;
    if (!right) fail("what is there is of several states, or not whole");
  }
  co_return co_await broadcast(state);
}
