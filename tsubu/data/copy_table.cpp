#include "tsubu/data/copy_table.hpp"

#include <utility>

#include "tsubu/base/check.hpp"

namespace tsubu::data {

void copy_table::add(copy& c) {
  if (4 * (size_ + 1) > 3 * (mask_ + 1)) resize(65 - shift_);
  insert(c);
  ++size_;
}

void copy_table::insert(copy& c) {
  std::size_t at = hash(c.name) >> shift_;
  while (places_[at] != 0) at = (at + 1) & mask_;
  places_[at] = place_for(c);
}

// Those behind it move up, as far as their own first place allows.
void copy_table::remove(key name) {
  std::size_t hole = hash(name) >> shift_;
  while (places_[hole] == 0 || address(places_[hole])->name != name) {
    require(places_[hole] != 0, "a copy is taken out of a table that it is not in");
    hole = (hole + 1) & mask_;
  }
  for (std::size_t at = (hole + 1) & mask_; places_[at] != 0; at = (at + 1) & mask_) {
    const std::size_t first = hash(address(places_[at])->name) >> shift_;
    if (((at - first) & mask_) >= ((at - hole) & mask_)) {
      places_[hole] = places_[at];
      hole = at;
    }
  }
  places_[hole] = 0;
  --size_;
}

void copy_table::resize(int bits) {
  const std::unique_ptr<std::uint64_t[]> before =
      std::exchange(places_, std::make_unique<std::uint64_t[]>(std::size_t{1} << bits));
  const std::size_t places_before = before == nullptr ? 0 : mask_ + 1;
  mask_ = (std::size_t{1} << bits) - 1;
  shift_ = 64 - bits;
  for (std::size_t at = 0; at < places_before; ++at) {
    if (before[at] != 0) insert(*address(before[at]));
  }
}

}  // namespace tsubu::data
