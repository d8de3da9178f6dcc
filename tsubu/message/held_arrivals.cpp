#include "tsubu/message/held_arrivals.hpp"

#include <iterator>
#include <utility>

namespace tsubu::message {

void held_arrivals::end() {
  transport::batch* arrival = std::exchange(executing_, nullptr);
  if (std::exchange(of_executing_, nullptr) == nullptr && arrival != nullptr) transport_.release(arrival);
}

held_arrivals::held* held_arrivals::hold_executing() {
  if (executing_ == nullptr) return nullptr;
  if (of_executing_ == nullptr) {
    of_executing_ = &held_.emplace_back(held{executing_, 0, {}});
    of_executing_->self = std::prev(held_.end());
  }
  ++of_executing_->waiting;
  return of_executing_;
}

void held_arrivals::let_go(held& h) {
  if (--h.waiting != 0) return;
  transport_.release(h.arrival);
  held_.erase(h.self);
}

transport::bulk_source held_arrivals::keep(std::unique_ptr<std::byte[]> bytes, std::size_t size) {
  kept_bytes_ += size;
  bulk& b = bulks_.emplace_back(bulk{this, hold_executing(), std::move(bytes), size, {}});
  b.self = std::prev(bulks_.end());
  return {{b.bytes.get(), size}, forget, &b};
}

void held_arrivals::forget(void* passed) {
  auto* b = static_cast<bulk*>(passed);
  held_arrivals& keeper = *b->keeper;
  keeper.kept_bytes_ -= b->size;
  keeper.let_go(*b->head);
  keeper.bulks_.erase(b->self);
}

}  // namespace tsubu::message
