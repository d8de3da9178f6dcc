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
  if (found == entries_.end() || found->second.expires == never || now <= found->second.expires) return found;
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
  bytes_ -= bytes_of(which->first.size(), which->second.bytes().size(), which->second.expires);
  change_expiry(which, never);
  entries_.erase(which);
}

void store::change_expiry(table::iterator which, std::int64_t expires) {
  std::int64_t& old = which->second.expires;
  if (old == expires) return;
  if (old != never) expiring_.remove(which->first, old);
  if (expires != never) expiring_.add(which->first, expires);
  old = expires;
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

bool store::has_room(table::iterator old, std::size_t key_bytes, std::size_t value_bytes, std::int64_t expires) const {
  const std::size_t more = bytes_of(key_bytes, value_bytes, expires) + (value_bytes > large_bytes ? value_bytes : 0);
  const std::size_t less =
      old == entries_.end()
          ? 0
          : bytes_of(key_bytes, old->second.bytes().size(), old->second.expires) + freed_by(old->second);
  return bytes() - less + more <= most_bytes_;
}

bool store::set(std::string_view key, std::string_view value, std::int64_t expires, std::int64_t now) {
  table::iterator found = find_entry(key, now);
  for (bool there_may_be_more = true; !has_room(found, key.size(), value.size(), expires);) {
    if (!there_may_be_more) return false;
    there_may_be_more = remove_expired(now, 100);
  }
  const bool is_large = value.size() > large_bytes;
  std::shared_ptr<const std::string> large = is_large ? keep(std::string(value)) : nullptr;
  const std::string_view small = is_large ? std::string_view() : value;
  if (found == entries_.end()) {
    found = entries_.emplace(key, entry{std::string(small), std::move(large), never}).first;
  } else {
    entry& kept = found->second;
    const std::size_t old_bytes = bytes_of(key.size(), kept.bytes().size(), kept.expires);
    if (kept.value.capacity() > 2 * small.size() + 64) {
      kept.value =
          std::string(small);  // or the room of a long value would stay with a short one, and be counted as that
    } else {
      kept.value.assign(small);
    }
    kept.large = std::move(large);
    bytes_ -= old_bytes;
  }
  change_expiry(found, expires);
  bytes_ += bytes_of(key.size(), value.size(), expires);
  return true;
}

bool store::remove(std::string_view key, std::int64_t now) {
  const table::iterator found = find_entry(key, now);
  if (found == entries_.end()) return false;
  erase(found);
  return true;
}

void store::clear() {
  expiring_.clear();
  entries_.clear();
  bytes_ = 0;
}

bool store::set_expiry(std::string_view key, std::int64_t expires) {
  const table::iterator found = entries_.find(key);
  const std::size_t less = place_bytes(found->second.expires), more = place_bytes(expires);
  if (more > less && bytes() - less + more > most_bytes_) return false;
  change_expiry(found, expires);
  bytes_ += more - less;
  return true;
}

bool store::remove_expired(std::int64_t now, std::size_t most) {
  for (; most > 0; --most) {
    const std::string* const key = expiring_.first_expired(now);
    if (key == nullptr) return false;
    erase(entries_.find(*key));
  }
  return true;
}

}  // namespace kv
