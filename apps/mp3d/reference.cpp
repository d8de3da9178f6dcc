#include "apps/mp3d/reference.hpp"

#include <algorithm>
#include <utility>

#include "apps/mp3d/motion.hpp"

namespace mp3d {

reference::reference(const gas& of) : gas_(of) {
  for (std::int64_t i = 0; i < gas_.molecules; ++i) molecules_.push_back(gas_.at_beginning(i));
}

void reference::step() {
  ++step_;
  cells_.assign(cells, {});
  order_.clear();
  for (std::int64_t i = 0; i < gas_.molecules; ++i) {
    molecule& m = molecules_[static_cast<std::size_t>(i)];
    move(gas_, i, step_, m, counted_);
    if (!in_stream(m.position)) continue;
    ++cells_[cell_of(m.position)].present;
    order_.emplace_back(gas_, step_, i);
  }
  std::sort(order_.begin(), order_.end());
  for (const ticket& next : order_) {
    const molecule& m = molecules_[static_cast<std::size_t>(next.number)];
    collide_in(cells_[cell_of(m.position)], next.number);
  }
}

void reference::collide_in(cell& where, std::int64_t number) {
  const std::int64_t partner = std::exchange(where.slot, nobody);
  if (partner == nobody) {
    where.slot = number;
    return;
  }
  molecule &a = molecules_[static_cast<std::size_t>(partner)], &b = molecules_[static_cast<std::size_t>(number)];
  visitor first = {partner, a.velocity}, second = {number, b.velocity};
  collide(gas_, step_, where.present, first, second, counted_);
  a.velocity = first.velocity;
  b.velocity = second.velocity;
}

std::int64_t reference::molecules_in_stream() const {
  return std::count_if(molecules_.begin(), molecules_.end(), [](const molecule& m) { return in_stream(m.position); });
}

std::uint64_t reference::digest() const {
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < gas_.molecules; ++i) sum += mp3d::digest(i, molecules_[static_cast<std::size_t>(i)]);
  return sum;
}

}  // namespace mp3d
