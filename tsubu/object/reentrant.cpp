#include "tsubu/object/reentrant.hpp"

namespace tsubu::objects {

std::vector<reentrant_calls::call> reentrant_calls::take() {
  std::vector<call> now;
  now.swap(next_);
  return now;
}

void reentrant_calls::one_waits(object_base& o) {
  ++waiting_[&o];
  o.tsubu_header.set(object_base::header::entered);
}

void reentrant_calls::one_ended(object_base& o) {
  const auto at = waiting_.find(&o);
  if (--at->second != 0) return;
  waiting_.erase(at);
  o.tsubu_header.clear(object_base::header::entered);
}

}  // namespace tsubu::objects
