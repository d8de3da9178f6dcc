#include "tsubu/eulash/prefetch.hpp"

#include <algorithm>

#include "tsubu/eulash/access.hpp"
#include "tsubu/task/spawn.hpp"

namespace tsubu::placed {
namespace {

constexpr std::uint32_t most_blocks = 32;

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
  const auto same = std::find_if(streams_.begin(), streams_.end(), [&](const stream& s) {
    return s.writes == writes && s.begin <= b.first && b.first <= s.end && s.end != 0;
  });
  if (same == streams_.end()) {
    streams_[oldest_++ % streams_.size()] = {b.first, b.first + b.bytes, 2, writes};
  } else if (b.first == same->end) {
    same->begin = b.first;
    same->end = b.first + b.bytes;
    same->blocks = std::min(2 * same->blocks, most_blocks);
    fetch_behind(*same);
  }
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

}  // namespace tsubu::placed
