// Places in the source, as a short number: a lock's home can say where its holder on another PE acquired it.
//
// A PE numbers the places from which it asks another, and tells it the text of each once, in front of the first message
// with the number. So a message carries 4 bytes, and the text is there when a report wants it.
#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <unordered_map>
#include <vector>

#include "tsubu/base/types.hpp"

namespace tsubu::data {

// "main.cpp:12"
std::string text_of(const std::source_location& where);

class place_names {
 public:
  // What this PE calls `where` in messages to `to`, which is told if it does not know yet. Sends.
  std::uint32_t number_for(pe_id to, const std::source_location& where);

  // The next number of PE `from` is that of `text`.
  void told(pe_id from, std::string text) { told_[from].push_back(std::move(text)); }
  std::string text_of(pe_id from, std::uint32_t number) const;

 private:
  struct place {
    const char* file;
    std::uint32_t line;
    pe_id to;
    bool operator==(const place&) const = default;
  };
  struct hash {
    std::size_t operator()(const place& p) const {
      const auto low = std::uint64_t{p.line} << 32 | static_cast<std::uint32_t>(p.to);
      return std::hash<std::uint64_t>()(reinterpret_cast<std::uintptr_t>(p.file) * 0x9e3779b97f4a7c15U ^ low);
    }
  };

  std::unordered_map<place, std::uint32_t, hash> numbers_;  // this PE's
  std::unordered_map<pe_id, std::uint32_t> next_;
  std::unordered_map<pe_id, std::vector<std::string>> told_;  // others'
};

}  // namespace tsubu::data
