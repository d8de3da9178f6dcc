// Things of one kind whose home is this PE, by the slot in their names: the locks, the counters, the barriers.
//
// A slot counts generations, so that the name of one that has ended finds nobody, nor does one of an earlier job.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/job_names.hpp"
#include "tsubu/data/key.hpp"

namespace tsubu::data {

// Record(key, arguments...) is what it makes.
template <class Record>
class named_table {
 public:
  named_table() : first_generation_(generations.first()) {}
  ~named_table() {
    std::uint32_t behind = first_generation_;
    for (const slot& s : slots_) behind = std::max(behind, s.generation + (s.record != nullptr ? 1 : 0));
    generations.used(behind);
  }
  named_table(const named_table&) = delete;
  named_table& operator=(const named_table&) = delete;

  template <class... A>
  key add(pe_id me, A&&... arguments) {
    if (free_.empty()) {
      require(slots_.size() < key::most_slots, "a PE has {} locks, counters or barriers at most", key::most_slots);
      free_.push_back(static_cast<std::uint32_t>(slots_.size()));
      slots_.emplace_back().generation = first_generation_;
    }
    slot& s = slots_[free_.back()];
    const key name = key::of_variable(me, free_.back(), s.generation);
    s.record = std::make_unique<Record>(name, std::forward<A>(arguments)...);
    free_.pop_back();
    return name;
  }

  // Null if it has ended, or never was. `name` is of this PE.
  [[gnu::always_inline]] Record* find(key name) const {
    if (name.slot() >= slots_.size()) [[unlikely]]
      return nullptr;
    const slot& s = slots_[name.slot()];
    return s.generation == name.generation() ? s.record.get() : nullptr;
  }

  // It is there.
  void remove(key name) {
    slot& s = slots_[name.slot()];
    s.record.reset();
    if (++s.generation < key::most_generations) free_.push_back(name.slot());
  }

  template <class F>
  void for_each(F f) const {
    for (const slot& s : slots_) {
      if (s.record != nullptr) f(*s.record);
    }
  }

 private:
  struct slot {
    std::unique_ptr<Record> record;
    std::uint32_t generation = 0;
  };
  inline static detail::job_names generations{key::most_generations / 2, key::most_generations / 2};

  const std::uint32_t first_generation_;
  std::vector<slot> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace tsubu::data
