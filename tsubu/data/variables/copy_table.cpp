#include "tsubu/data/variables/copy_table.hpp"

#include <algorithm>
#include <utility>

#include "tsubu/base/check.hpp"

namespace tsubu::data {

bool copy_table::page::unused() const {
  return std::all_of(copies.begin(), copies.end(), [](const copy& c) { return c.unused(); });
}

copy_table::~copy_table() {
  for (std::size_t at = 0; at <= mask_; ++at) {
    if (places_[at] != &none_) delete_pooled(places_[at]);
  }
}

copy& copy_table::make(key name) {
  ++size_;
  if (copy* c = look(name)) return *c;
  if (4 * (pages_ + 1) > 3 * (mask_ + 1)) resize(65 - shift_);
  page* p = new_pooled<page>();
  p->row = name.bits() / in_a_page;
  insert(*p);
  ++pages_;
  return p->copies[name.bits() % in_a_page];
}

void copy_table::insert(page& p) {
  std::size_t at = hash(p.row) >> shift_;
  while (places_[at] != &none_) at = (at + 1) & mask_;
  places_[at] = &p;
}

void copy_table::remove(key name) {
  const std::uint64_t row = name.bits() / in_a_page;
  std::size_t at = hash(row) >> shift_;
  while (places_[at]->row != row) {
    require(places_[at] != &none_, "a copy is taken out of a table that it is not in");
    at = (at + 1) & mask_;
  }
  --size_;
  if (!places_[at]->unused()) return;
  delete_pooled(places_[at]);
  --pages_;
  take_out(at);
}

// Those behind it move up, as far as their own first place allows.
void copy_table::take_out(std::size_t hole) {
  for (std::size_t at = (hole + 1) & mask_; places_[at] != &none_; at = (at + 1) & mask_) {
    const std::size_t first = hash(places_[at]->row) >> shift_;
    if (((at - first) & mask_) >= ((at - hole) & mask_)) {
      places_[hole] = places_[at];
      hole = at;
    }
  }
  places_[hole] = &none_;
}

void copy_table::resize(int bits) {
  const std::size_t places = std::size_t{1} << bits, places_before = places_ == nullptr ? 0 : mask_ + 1;
  const detail::owned_array<page*> before = std::exchange(places_, std::make_unique<page*[]>(places));
  std::fill_n(places_.get(), places, &none_);
  mask_ = places - 1;
  shift_ = 64 - bits;
  for (std::size_t at = 0; at < places_before; ++at) {
    if (before[at] != &none_) insert(*before[at]);
  }
}

}  // namespace tsubu::data
