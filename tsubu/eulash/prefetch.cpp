#include "tsubu/eulash/prefetch.hpp"

#include <algorithm>

#include "tsubu/eulash/access.hpp"
#include "tsubu/eulash/block_access.hpp"
#include "tsubu/task/spawn.hpp"

namespace tsubu::placed {
namespace {

// At a time. Blocks behind the last one that is written are taken from who may write them.
constexpr std::uint32_t most_to_read = 32, most_to_write = 8;
constexpr std::uint64_t bytes_of_block = 4096;  // of most

// Whether who has accessed it keeps something.
bool is_worth_it(const known_block& b, bool writes) {
  if (b.key == data::key() || !views->marks) return false;
  return writes ? b.how == protocol::invalidate || b.how == protocol::mobile
                : b.how == protocol::invalidate || b.how == protocol::update;
}

}  // namespace

// An access to nothing of it, which the data layer answers as any other.
task<void> fetch_block(known_block b, bool to_write) {
  try {
    if (to_write) {
      co_await store_access(place_of_block{b.key}, 0U, std::string());
    } else {
      co_await load_access(place_of_block{b.key}, 0U, 0U);
    }
    mark_if_here(b);
  } catch (const variable_ended&) {
    // It was freed meanwhile; who comes to use it finds that out.
  }
}

void prefetcher::missed(const known_block& b, bool writes) {
  const auto find = [&](auto suits) {
    return std::find_if(streams_.begin(), streams_.end(),
                        [&](const stream& s) { return s.end != 0 && s.writes == writes && suits(s); });
  };
  if (const auto next = find([&](const stream& s) { return s.end == b.first; }); next != streams_.end()) {
    next->begin = b.first;
    next->end = b.first + b.bytes;
    next->blocks = std::min(2 * next->blocks, writes ? most_to_write : most_to_read);
    return fetch_behind(*next);
  }
  // What is under way begins no stream of its own.
  if (find([&](const stream& s) { return s.begin <= b.first && b.first < s.end; }) != streams_.end()) return;
  streams_[oldest_++ % streams_.size()] = {b.first, b.first + b.bytes, 2, writes};
}

void prefetcher::fetch_behind(stream& s) {
  for (std::uint32_t i = 0; i < s.blocks; ++i) {
    const known_block next = directories->look(s.end);
    if (next.bytes == 0 || next.first != s.end || !is_worth_it(next, s.writes)) return;
    s.end += next.bytes;
    if (s.writes ? can_write(next.key) : can_read(next.key)) continue;
    spawn(fetch_block(next, s.writes));
  }
}

void prefetcher::walks(std::uint64_t begin, std::uint64_t end, bool is_here) {
  // Most loops find all that they ask for.
  if (!is_here) loops_to_look_at_ = 64;
  if (loops_to_look_at_ == 0) return;
  --loops_to_look_at_;
  const auto known = std::find_if(walks_.begin(), walks_.end(), [&](const walk& w) { return w.end == begin; });
  if (known == walks_.end()) {
    walks_[oldest_walk_++ % walks_.size()] = {end, end, 0};
    return;
  }
  known->end = end;
  known->fetched = std::max(known->fetched, end);
  if (!is_here && known->blocks == 0) known->blocks = 1;
  bool fetched = !is_here;
  const std::uint64_t wanted = end + std::uint64_t{known->blocks} * bytes_of_block;
  while (known->fetched < wanted) {
    const known_block next = directories->look(known->fetched);
    if (next.bytes == 0 || !is_worth_it(next, false)) break;
    known->fetched = next.first + next.bytes;
    if (can_read(next.key)) continue;
    spawn(fetch_block(next, false));
    fetched = true;
  }
  known->blocks = fetched ? std::min(2 * known->blocks, most_to_read) : known->blocks / 2;
}

}  // namespace tsubu::placed
