#include "tsubu/data/variables/variable_table.hpp"

#include <algorithm>

#include "tsubu/base/check.hpp"
#include "tsubu/base/job_names.hpp"

namespace tsubu::data {

namespace {
detail::job_names generations(key::most_generations / 2, key::most_generations / 2);
}  // namespace

variable_table::variable_table() : first_generation_(generations.first()) {}

variable_table::~variable_table() {
  std::uint32_t behind = first_generation_;
  for (const std::uint64_t word : slots_) {
    if ((word & is_free) != 0) {
      behind = std::max(behind, word == is_free ? key::most_generations : static_cast<std::uint32_t>(word >> 32));
      continue;
    }
    auto* entry = reinterpret_cast<directory_entry*>(word);
    behind = std::max(behind, entry->name.generation() + 1);
    entry->type->destroy(*entry);
  }
  generations.used(behind);
}

key variable_table::next_name(pe_id me) {
  if (first_free_ == none) {
    require(slots_.size() < key::most_slots,
            "PE {} has {} shared variables, and more cannot be named: use shared arrays", me, slots_.size());
    slots_.push_back(is_free);
    return key::of_variable(me, static_cast<std::uint32_t>(slots_.size() - 1), first_generation_);
  }
  const std::uint32_t slot = first_free_;
  first_free_ = static_cast<std::uint32_t>(slots_[slot]) >> 1;
  return key::of_variable(me, slot, static_cast<std::uint32_t>(slots_[slot] >> 32));
}

void variable_table::remove(key name) {
  std::uint64_t& word = slots_[name.slot()];
  const std::uint32_t next_generation = name.generation() + 1;
  if (next_generation == key::most_generations) {  // the slot retires: an old name must find nobody
    word = is_free;
    return;
  }
  word = std::uint64_t{next_generation} << 32 | std::uint64_t{first_free_} << 1 | is_free;
  first_free_ = name.slot();
}

}  // namespace tsubu::data
