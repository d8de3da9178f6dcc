#include "tsubu/object/early.hpp"

namespace tsubu::objects {

object_base& early_arrivals::stand_in(const identity& id) {
  std::unique_ptr<unborn_object>& u = unborn_[id];
  if (u == nullptr) u = std::make_unique<unborn_object>();
  return *u;
}

message_queue early_arrivals::take(const identity& id) {
  const auto at = unborn_.find(id);
  if (at == unborn_.end()) return {};
  const message_queue came = at->second->tsubu_header.queue;
  unborn_.erase(at);
  return came;
}

const identity* early_arrivals::name_of(const object_base& o) const {
  for (const auto& [id, stand_in] : unborn_) {
    if (stand_in.get() == &o) return &id;
  }
  return nullptr;
}

}  // namespace tsubu::objects
