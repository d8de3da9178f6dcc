// The keys of one PE and their values, in a hash table. Knows nothing of PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "apps/kv/expiry_index.hpp"

namespace kv {

// Keys come from strangers, who shall not know which of them collide.
std::uint64_t hash_of(std::string_view key, std::uint64_t seed);

// Times are milliseconds since 1970. A key is there in the millisecond in which its time is over, and not after.
//
// A large value can be shared with who sends it to a client, so that a client that reads slowly costs no copy. One that
// is replaced or removed meanwhile counts until nobody has it any more: all that the store and its readers have is
// bounded.
class store {
 public:
  static constexpr std::int64_t never = 0;
  // A value of more bytes is large.
  static constexpr std::size_t large_bytes = 4096;

  store(std::uint64_t seed, std::size_t most_bytes) : entries_(0, hasher{seed}), most_bytes_(most_bytes) {}

  // Null if there is none, or if its time has come. Good until the next change.
  const std::string* find(std::string_view key, std::int64_t now);

  // A large value, shared; null if there is none, or if it is not large.
  std::shared_ptr<const std::string> share(std::string_view key, std::int64_t now);

  // Bytes that belong to no key, as a reply that waits to be sent; they count while somebody has them.
  std::shared_ptr<const std::string> keep(std::string bytes) const;

  // False: there is no room for it, and nothing has changed.
  bool set(std::string_view key, std::string_view value, std::int64_t expires, std::int64_t now);
  bool remove(std::string_view key, std::int64_t now);
  void clear();

  // From when a key that is there goes. False: there is no room to note it, and nothing has changed.
  bool set_expiry(std::string_view key, std::int64_t expires);

  // Removes so many at most of those whose time is over. True: there may be more.
  bool remove_expired(std::int64_t now, std::size_t most);

  // Those count whose time is over and that nobody has looked for or removed since.
  std::size_t size() const { return entries_.size(); }
  std::size_t bytes() const { return bytes_ + *large_in_use_; }
  std::size_t most_bytes() const { return most_bytes_; }
  // Keys that go some day.
  std::size_t expiring() const { return expiring_.size(); }
  // When a key that is there goes.
  std::int64_t expiry(std::string_view key) const { return entries_.find(key)->second.expires; }

 private:
  struct entry {
    std::string value;                         // if it is not large
    std::shared_ptr<const std::string> large;  // null: it is not
    std::int64_t expires = never;

    const std::string& bytes() const { return large != nullptr ? *large : value; }
  };
  struct hasher {
    using is_transparent = void;
    std::uint64_t seed;
    std::size_t operator()(std::string_view key) const { return hash_of(key, seed); }
  };
  using table = std::unordered_map<std::string, entry, hasher, std::equal_to<>>;

  // What an entry takes beside its bytes, about.
  static constexpr std::size_t entry_bytes = 128;
  // What an entry counts; a large value counts by itself.
  static std::size_t bytes_of(std::size_t key, std::size_t value, std::int64_t expires) {
    return entry_bytes + key + (value > large_bytes ? 0 : value) + place_bytes(expires);
  }
  static std::size_t place_bytes(std::int64_t expires) { return expires == never ? 0 : expiry_index::place_bytes; }
  // What is free again when its value is replaced.
  static std::size_t freed_by(const entry& e) { return e.large.use_count() == 1 ? e.large->size() : 0; }

  bool has_room(table::iterator old, std::size_t key_bytes, std::size_t value_bytes, std::int64_t expires) const;
  table::iterator find_entry(std::string_view key, std::int64_t now);
  void erase(table::iterator which);
  // Notes it, without counting the bytes.
  void change_expiry(table::iterator which, std::int64_t expires);

  table entries_;
  expiry_index expiring_;  // each entry with a time, and no other
  std::size_t bytes_ = 0;  // of all entries, without large values
  // Large values that are alive, here or with a reader, who may outlive the store.
  const std::shared_ptr<std::size_t> large_in_use_ = std::make_shared<std::size_t>(0);
  const std::size_t most_bytes_;
};

}  // namespace kv
