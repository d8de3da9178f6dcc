#include "tsubu/object/deferred_creations.hpp"

#include <algorithm>
#include <utility>

namespace tsubu::objects {

void deferred_creations::send_all() {
  const std::uint32_t count = std::exchange(count_, 0);
  none_is_first(pes_, this_task_group != nullptr);
  for (std::uint32_t i = 0; i < count; ++i) deferred_[i].send(deferred_[i].id);
}

bool deferred_creations::take_of_several(const identity& id) {
  const auto end = deferred_.begin() + count_;
  const auto at = std::find_if(deferred_.begin(), end, [&id](const creation& k) { return k.id == id; });
  if (at == end) return false;
  const auto goes_first = [&id](const creation& k) { return k.id.home == id.home; };
  for (auto k = deferred_.begin(); k != at; ++k) {
    if (goes_first(*k)) k->send(k->id);
  }
  const auto before_it = std::remove_if(deferred_.begin(), at, goes_first);
  const auto left = std::move(at + 1, end, before_it);
  count_ = static_cast<std::uint32_t>(left - deferred_.begin());
  if (count_ == 0) none_is_first(pes_, false);
  return true;
}

}  // namespace tsubu::objects
