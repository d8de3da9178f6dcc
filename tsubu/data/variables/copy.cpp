#include "tsubu/data/variables/copy.hpp"

#include <utility>

namespace tsubu::data {

void copy::clear() {
  set_invalid();
  if (is_busy()) delete_pooled(busy());
}

void copy::set_invalid() {
  if (is_held()) elsewhere()->discard();
  set_state(state::invalid, false);
}

void copy::set_state(state s, bool is_held) {
  if (is_under_way_only()) {
    if (s == state::invalid) return;
    make_busy();
  }
  if (!is_busy()) {
    word_ = word_of(s, is_held, {0, 0});
    return;
  }
  busy()->has = s;
  busy()->is_held = is_held;
  busy()->used = {0, 0};
}

copy::uses copy::used() const {
  if (is_busy()) return busy()->used;
  if (is_under_way_only()) return {0, 0};
  return {static_cast<std::uint32_t>(word_ >> 32), static_cast<std::uint32_t>((word_ & writes_mask) / one_write)};
}

copy::uses copy::take_used() {
  const uses u = used();
  if (is_busy()) {
    busy()->used = {0, 0};
  } else if (!is_under_way_only()) {
    word_ = word_of(has(), is_held(), {0, 0});
  }
  return u;
}

copy::busy_copy& copy::make_busy() {
  if (!is_busy()) {
    auto* more = new_pooled<busy_copy>();
    more->under_way = under_way();
    more->used = used();
    more->has = has();
    more->is_held = is_held();
    word_ = reinterpret_cast<std::uintptr_t>(more) | busy_bit;
  }
  return *busy();
}

void copy::end_busy() {
  busy_copy* more = busy();
  word_ = word_of(more->has, more->is_held, more->used);
  delete_pooled(more);
}

void copy::wait(waiting_access& a) {
  waiting_access*& last = make_busy().waiting;
  if (last == nullptr) {
    a.next_ = &a;
  } else {
    a.next_ = last->next_;
    last->next_ = &a;
  }
  last = &a;
}

void copy::forget(waiting_access& a) {
  waiting_access*& last = busy()->waiting;
  waiting_access* before = last;
  while (before->next_ != &a) before = before->next_;
  before->next_ = a.next_;
  if (last == &a) last = before == &a ? nullptr : before;
  a.next_ = nullptr;
}

waiting_access* copy::take_waiting() {
  if (!is_busy() || busy()->under_way != 0) return nullptr;
  waiting_access* last = std::exchange(busy()->waiting, nullptr);
  if (!busy()->value_follows) end_busy();
  return last == nullptr ? nullptr : std::exchange(last->next_, nullptr);
}

void copy::wake(waiting_access* first) {
  for (waiting_access* each = first; each != nullptr;) {
    waiting_access* next = std::exchange(each->next_, nullptr);
    each->look_again();
    each = next;
  }
}

}  // namespace tsubu::data
