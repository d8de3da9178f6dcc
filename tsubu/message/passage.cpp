#include "tsubu/message/passage.hpp"

#include <iterator>
#include <utility>

namespace tsubu::message {

void passage::end() {
  transport::batch* arrival = std::exchange(executing_, nullptr);
  if (std::exchange(of_executing_, nullptr) == nullptr && arrival != nullptr) transport_.release(arrival);
}

passage::detained* passage::detain() {
  if (executing_ == nullptr) return nullptr;
  if (of_executing_ == nullptr) {
    of_executing_ = &detained_.emplace_back(detained{executing_, 0, {}});
    of_executing_->self = std::prev(detained_.end());
  }
  ++of_executing_->waiting;
  return of_executing_;
}

void passage::let_go(detained& d) {
  if (--d.waiting != 0) return;
  transport_.release(d.arrival);
  detained_.erase(d.self);
}

transport::bulk_source passage::keep(std::unique_ptr<std::byte[]> bytes, std::size_t size) {
  kept_bytes_ += size;
  bulk& b = bulks_.emplace_back(bulk{this, detain(), std::move(bytes), size, {}});
  b.self = std::prev(bulks_.end());
  return {{b.bytes.get(), size}, forget, &b};
}

void passage::forget(void* passed) {
  auto* b = static_cast<bulk*>(passed);
  passage& keeper = *b->keeper;
  keeper.kept_bytes_ -= b->size;
  keeper.let_go(*b->head);
  keeper.bulks_.erase(b->self);
}

}  // namespace tsubu::message
