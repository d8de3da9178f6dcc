#include "apps/kv/store.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <utility>

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

namespace {

// Is counted while it lives.
struct counted {
  counted(std::string of, std::shared_ptr<std::size_t> in) : bytes(std::move(of)), sum(std::move(in)) {
    *sum += bytes.size();
  }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { *sum -= bytes.size(); }

  const std::string bytes;
  const std::shared_ptr<std::size_t> sum;
};

}  // namespace

std::shared_ptr<const std::string> store::keep(std::string bytes) const {
  const auto held = std::make_shared<const counted>(std::move(bytes), large_in_use_);
  return {held, &held->bytes};
}

void store::erase(table::iterator which) {
  bytes_ -= bytes_of(which->first.size(), which->second.bytes().size());
  entries_.erase(which);
}

const std::string* store::find(std::string_view key, std::int64_t now) {
  const table::iterator found = find_entry(key, now);
  return found == entries_.end() ? nullptr : &found->second.bytes();
}

std::shared_ptr<const std::string> store::share(std::string_view key, std::int64_t now) {
  if (*large_in_use_ == 0) return nullptr;
  const table::iterator found = find_entry(key, now);
  return found == entries_.end() ? nullptr : found->second.large;
}

bool store::has_room(table::iterator old, std::size_t key_bytes, std::size_t value_bytes) const {
  const std::size_t more = bytes_of(key_bytes, value_bytes) + (value_bytes > large_bytes ? value_bytes : 0);
  const std::size_t less =
      old == entries_.end() ? 0 : bytes_of(key_bytes, old->second.bytes().size()) + freed_by(old->second);
  return bytes() - less + more <= most_bytes_;
}

bool store::set(std::string_view key, std::string_view value, std::int64_t expires, std::int64_t now) {
  table::iterator found = find_entry(key, now);
  if (!has_room(found, key.size(), value.size())) {
    remove_expired(now);
    found = entries_.find(key);
    if (!has_room(found, key.size(), value.size())) return false;
  }
  const bool is_large = value.size() > large_bytes;
  std::shared_ptr<const std::string> large = is_large ? keep(std::string(value)) : nullptr;
  const std::string_view small = is_large ? std::string_view() : value;
  if (found == entries_.end()) {
    entries_.emplace(key, entry{std::string(small), std::move(large), expires});
  } else {
    entry& kept = found->second;
    const std::size_t old_bytes = bytes_of(key.size(), kept.bytes().size());
    if (kept.value.capacity() > 2 * small.size() + 64) {
      kept.value =
          std::string(small);  // or the room of a long value would stay with a short one, and be counted as that
    } else {
      kept.value.assign(small);
    }
    kept.large = std::move(large);
    kept.expires = expires;
    bytes_ -= old_bytes;
  }
  bytes_ += bytes_of(key.size(), value.size());
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
