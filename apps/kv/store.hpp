// The keys of one PE and their values, in a hash table. Knows nothing of PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace kv {

// Keys come from strangers, who shall not know which of them collide.
std::uint64_t hash_of(std::string_view key, std::uint64_t seed);

// Times are nanoseconds of tsubu::now_ns().
class store {
 public:
  static constexpr std::int64_t never = 0;

  store(std::uint64_t seed, std::size_t most_bytes) : entries_(0, hasher{seed}), most_bytes_(most_bytes) {}

  // Null if there is none, or if its time has come. Good until the next change.
  const std::string* find(std::string_view key, std::int64_t now);

  // False: there is no room for it, and nothing has changed.
  bool set(std::string_view key, std::string_view value, std::int64_t expires, std::int64_t now);
  bool remove(std::string_view key, std::int64_t now);
  void clear();

  // Those count whose time has come and that nobody has looked for since.
  std::size_t size() const { return entries_.size(); }
  std::size_t bytes() const { return bytes_; }
  // When a key that is there goes.
  std::int64_t expiry(std::string_view key) const { return entries_.find(key)->second.expires; }

 private:
  struct entry {
    std::string value;
    std::int64_t expires = never;
  };
  struct hasher {
    using is_transparent = void;
    std::uint64_t seed;
    std::size_t operator()(std::string_view key) const { return hash_of(key, seed); }
  };
  using table = std::unordered_map<std::string, entry, hasher, std::equal_to<>>;

  // What an entry takes beside its bytes, about.
  static constexpr std::size_t entry_bytes = 128;
  static std::size_t bytes_of(std::size_t key, std::size_t value) { return entry_bytes + key + value; }

  table::iterator find_entry(std::string_view key, std::int64_t now);
  void erase(table::iterator which);
  void remove_expired(std::int64_t now);

  table entries_;
  std::size_t bytes_ = 0;
  const std::size_t most_bytes_;
  std::int64_t looked_for_expired_ = 0;
};

}  // namespace kv
