// The variables whose home is this PE, by slot, one word each.
#pragma once

#include <cstdint>
#include <vector>

#include "tsubu/data/variables/directory_entry.hpp"

namespace tsubu::data {

class variable_table {
 public:
  variable_table();
  variable_table(const variable_table&) = delete;
  variable_table& operator=(const variable_table&) = delete;
  ~variable_table();

  // Null if it has ended, or never was.
  [[gnu::always_inline]] directory_entry* find(key name) const {
    if (name.slot() >= slots_.size()) [[unlikely]]
      return nullptr;
    const std::uint64_t word = slots_[name.slot()];
    if ((word & is_free) != 0) [[unlikely]]
      return nullptr;
    auto* entry = reinterpret_cast<directory_entry*>(word);
    return entry->name == name ? entry : nullptr;
  }
  // A name for the next variable of this PE, which add() expects at once.
  key next_name(pe_id me);
  void add(directory_entry& entry) { slots_[entry.name.slot()] = reinterpret_cast<std::uint64_t>(&entry); }
  template <class F>
  void for_each(F f) const {
    for (const std::uint64_t word : slots_) {
      if ((word & is_free) == 0) f(*reinterpret_cast<directory_entry*>(word));
    }
  }
  // Its name is not used again, in this job and in those that follow in the process.
  void remove(key name);

 private:
  // A free slot: this bit, the number of the next free one above it, and the slot's next generation in the upper half.
  static constexpr std::uint64_t is_free = 1;
  static constexpr std::uint32_t none = (std::uint32_t{1} << 31) - 1;

  const std::uint32_t first_generation_;  // of each slot
  std::vector<std::uint64_t> slots_;
  std::uint32_t first_free_ = none;
};

}  // namespace tsubu::data
