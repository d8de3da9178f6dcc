#include "apps/kv/store.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kv {

std::uint64_t hash_of(std::string_view key, std::uint64_t seed) {
  return XXH3_64bits_withSeed(key.data(), key.size(), seed);
}

store::table::iterator store::find_entry(std::string_view key, std::int64_t now) {
  const table::iterator found = entries_.find(key);
  if (found == entries_.end() || found->second.expires == never || now < found->second.expires) return found;
  erase(found);
  return entries_.end();
}

void store::erase(table::iterator which) {
  bytes_ -= bytes_of(which->first.size(), which->second.value.size());
  entries_.erase(which);
}

const std::string* store::find(std::string_view key, std::int64_t now) {
  const table::iterator found = find_entry(key, now);
  return found == entries_.end() ? nullptr : &found->second.value;
}

bool store::set(std::string_view key, std::string_view value, std::int64_t expires, std::int64_t now) {
  table::iterator found = find_entry(key, now);
  const std::size_t more = bytes_of(key.size(), value.size());
  std::size_t less = found == entries_.end() ? 0 : bytes_of(key.size(), found->second.value.size());
  if (bytes_ - less + more > most_bytes_) {
    remove_expired(now);
    found = entries_.find(key);
    less = found == entries_.end() ? 0 : bytes_of(key.size(), found->second.value.size());
    if (bytes_ - less + more > most_bytes_) return false;
  }
  if (found == entries_.end()) {
    entries_.emplace(key, entry{std::string(value), expires});
  } else {
    std::string& kept = found->second.value;
    if (kept.capacity() > 2 * value.size() + 64) {
      kept = std::string(value);  // or the room of a long value would stay with a short one, and be counted as that
    } else {
      kept.assign(value);
    }
    found->second.expires = expires;
  }
  bytes_ += more - less;
  return true;
}

bool store::remove(std::string_view key, std::int64_t now) {
  const table::iterator found = find_entry(key, now);
  if (found == entries_.end()) return false;
  erase(found);
  return true;
}

void store::clear() {
  entries_.clear();
  bytes_ = 0;
}

// It goes over all entries: not for each value that finds no room.
void store::remove_expired(std::int64_t now) {
  constexpr std::int64_t pause_ns = 1'000'000'000;
  if (looked_for_expired_ != 0 && now - looked_for_expired_ < pause_ns) return;
  looked_for_expired_ = now;
  for (table::iterator at = entries_.begin(); at != entries_.end();) {
    const table::iterator one = at++;
    if (one->second.expires != never && one->second.expires <= now) erase(one);
  }
}

}  // namespace kv
