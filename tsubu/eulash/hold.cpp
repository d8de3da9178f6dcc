// Runs of memory for loops that do not wait (memory.h).
#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "tsubu/eulash/access.hpp"
#include "tsubu/eulash/prefetch.hpp"
#include "tsubu/task/spawn.hpp"

namespace tsubu::placed {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{16} << 20;  // of a run: what is checked each time

// A run in shared memory.
struct shared_run {
  std::uint64_t offset;
  std::uint64_t bytes;
  line_state how;

  bool is_here() const { return views->may(how, offset, bytes); }
};

// Says when the last of some fetches is done.
struct fetches {
  std::size_t left = 0;
  oneshot<void> done{"blocks of shared memory"};
};
task<void> fetch_one_of(known_block b, bool to_write, fetches& of) {
  co_await fetch_block(b, to_write);
  if (--of.left == 0) of.done.set_value();
}

struct missing_block {
  known_block block;
  bool to_write;
};
using missing_blocks = std::map<std::uint64_t, missing_block>;  // by their offsets

// What is not here of it; false if some of it can never be here.
bool collect_missing(const shared_run& run, missing_blocks& missing) {
  const bool to_write = run.how == line_state::writable;
  for (std::uint64_t at = run.offset; at < run.offset + run.bytes;) {
    const known_block b = find_block(at);
    if (b.bytes == 0) return false;
    at = b.first + b.bytes;
    mark_if_here(b);
    if (views->may(run.how, b.first, b.bytes)) continue;
    if (b.how == protocol::global || (b.how == protocol::update && to_write)) return false;
    missing.try_emplace(b.first, missing_block{b, to_write}).first->second.to_write |= to_write;
  }
  return true;
}

// All of them come here, and some of them may go again: what is read then stays as it was.
bool fetch(const std::vector<shared_run>& runs) {
  missing_blocks missing;
  for (const shared_run& run : runs) {
    if (!run.is_here() && !collect_missing(run, missing)) return false;
  }
  constexpr std::size_t at_a_time = 64;
  for (auto next = missing.begin(); next != missing.end();) {
    std::vector<missing_block> part;
    for (; next != missing.end() && part.size() < at_a_time; ++next) part.push_back(next->second);
    fetches under_way;
    under_way.left = part.size();
    for (const missing_block& m : part) spawn(fetch_one_of(m.block, m.to_write, under_way));
    wait_here(under_way.done);
  }
  return true;
}

std::uint64_t begin_of(const eulash_run& run) {
  return std::min(reinterpret_cast<std::uintptr_t>(run.first), reinterpret_cast<std::uintptr_t>(run.last));
}
std::uint64_t bytes_of(const eulash_run& run) {
  return std::max(reinterpret_cast<std::uintptr_t>(run.first), reinterpret_cast<std::uintptr_t>(run.last)) -
         begin_of(run) + run.bytes;
}
shared_run as_shared(const eulash_run& run) {
  return {begin_of(run) - EULASH_BASE, bytes_of(run), run.writes != 0 ? line_state::writable : line_state::readable};
}

// Those that are in shared memory, until what is written is all here at one moment. May wait.
bool fetch_all_of(std::span<const eulash_run> runs) {
  std::vector<shared_run> all, written;
  for (const eulash_run& run : runs) {
    if (!is_shared(begin_of(run))) continue;
    all.push_back(as_shared(run));
    if (run.writes != 0) written.push_back(as_shared(run));
  }
  if (!fetch(all)) return false;
  const auto all_here = [&] {
    return std::all_of(written.begin(), written.end(), [](const shared_run& run) { return run.is_here(); });
  };
  // Others may take a part of what is written while another one comes.
  constexpr int tries = 8;
  for (int i = 0; i < tries && !all_here(); ++i) {
    if (!fetch(written)) return false;
  }
  return all_here();
}

}  // namespace
}  // namespace tsubu::placed

using namespace tsubu::placed;

extern "C" int eulash_hold_views(eulash_run* runs, int count) {
  if (!views->marks) return 0;
  const std::span all(runs, static_cast<std::size_t>(count));
  bool here = true;
  for (eulash_run& run : all) {
    const std::uint64_t begin = begin_of(run);
    run.shift = 0;
    if (!is_shared(begin)) {
      if (is_plain(begin)) continue;
      return 0;
    }
    if (bytes_of(run) > most_bytes || bytes_of(run) == 0) return 0;
    run.shift = reinterpret_cast<std::intptr_t>(views->at(0)) - static_cast<std::intptr_t>(EULASH_BASE);
    const shared_run asked = as_shared(run);
    const bool is_here = asked.is_here();
    here = here && is_here;
    if (run.writes == 0) prefetchers->walks(asked.offset, asked.offset + asked.bytes, is_here);
  }
  return here || fetch_all_of(all) ? 1 : 0;
}
