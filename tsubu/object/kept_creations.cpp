#include "tsubu/object/kept_creations.hpp"

#include <algorithm>
#include <utility>

namespace tsubu::objects {

void kept_creations::send_all() {
  const std::uint32_t count = std::exchange(count_, 0);
  none_is_first(pes_, this_task_group != nullptr);
  for (std::uint32_t i = 0; i < count; ++i) kept_[i].send(kept_[i].id);
}

bool kept_creations::take_of_several(const identity& id) {
  const auto end = kept_.begin() + count_;
  const auto at = std::find_if(kept_.begin(), end, [&id](const kept& k) { return k.id == id; });
  if (at == end) return false;
  const auto goes_first = [&id](const kept& k) { return k.id.home == id.home; };
  for (auto k = kept_.begin(); k != at; ++k) {
    if (goes_first(*k)) k->send(k->id);
  }
  const auto before_it = std::remove_if(kept_.begin(), at, goes_first);
  const auto left = std::move(at + 1, end, before_it);
  count_ = static_cast<std::uint32_t>(left - kept_.begin());
  if (count_ == 0) none_is_first(pes_, false);
  return true;
}

}  // namespace tsubu::objects
