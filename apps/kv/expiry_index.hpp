// The keys of a store that go some day, the earliest first: so that no look at all keys is needed to find those whose
// time has come, and a key costs one place in it, however often its time is set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace kv {

class expiry_index {
 public:
  // What a place takes, about.
  static constexpr std::size_t place_bytes = 64;

  // The key stays where it is until it is removed.
  void add(const std::string& key, std::int64_t expires) { places_.emplace(expires, &key); }
  void remove(const std::string& key, std::int64_t expires) { places_.erase({expires, &key}); }
  void clear() { places_.clear(); }

  std::size_t size() const { return places_.size(); }

  // A key whose time is over; null if there is none.
  const std::string* first_expired(std::int64_t now) const {
    return places_.empty() || now <= places_.begin()->first ? nullptr : places_.begin()->second;
  }

 private:
  std::set<std::pair<std::int64_t, const std::string*>> places_;
};

}  // namespace kv
