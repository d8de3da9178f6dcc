#include "tsubu/object/reentrant.hpp"

namespace tsubu::objects {

using bits = object_base::header::bits;

void reentrant_calls::add(object_base& o, mail& m) {
  o.tsubu_header.set(bits::asked);
  next_.push_back(&o);
  of_[&o].push(m);
}

reentrant_calls::call reentrant_calls::take_next() {
  object_base* const o = next_.front();
  next_.pop_front();
  const auto at = of_.find(o);
  if (at == of_.end()) return {nullptr, nullptr};
  mail& m = at->second.pop();
  if (at->second.empty()) remove(at);
  return {o, &m};
}

message_queue reentrant_calls::take_of(object_base& o) {
  const auto at = of_.find(&o);
  if (at == of_.end()) return {};
  message_queue all = at->second;
  remove(at);
  return all;
}

void reentrant_calls::remove(std::unordered_map<object_base*, message_queue>::iterator at) {
  at->first->tsubu_header.clear(bits::asked);
  of_.erase(at);
  if (of_.empty()) next_.clear();
}

void reentrant_calls::one_waits(object_base& o) {
  ++waiting_[&o];
  o.tsubu_header.set(bits::entered);
}

void reentrant_calls::one_ended(object_base& o) {
  const auto at = waiting_.find(&o);
  if (--at->second != 0) return;
  waiting_.erase(at);
  o.tsubu_header.clear(bits::entered);
}

}  // namespace tsubu::objects
