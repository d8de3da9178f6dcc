#include "tsubu/data/variables/copy.hpp"

#include <utility>

namespace tsubu::data {

void copy::clear() {
  set_invalid();
  if (has_details()) delete_pooled(more());
}

void copy::set_invalid() {
  if (is_held()) elsewhere()->discard();
  set_state(state::invalid, false);
}

void copy::set_state(state s, bool is_held) {
  if (is_under_way_only()) {
    if (s == state::invalid) return;
    make_details();
  }
  if (!has_details()) {
    word_ = word_of(s, is_held, {0, 0});
    return;
  }
  more()->has = s;
  more()->is_held = is_held;
  more()->used = {0, 0};
}

copy::uses copy::used() const {
  if (has_details()) return more()->used;
  if (is_under_way_only()) return {0, 0};
  return {static_cast<std::uint32_t>(word_ >> 32), static_cast<std::uint32_t>((word_ & writes_mask) / one_write)};
}

copy::uses copy::take_used() {
  const uses u = used();
  if (has_details()) {
    more()->used = {0, 0};
  } else if (!is_under_way_only()) {
    word_ = word_of(has(), is_held(), {0, 0});
  }
  return u;
}

copy::details& copy::make_details() {
  if (!has_details()) {
    auto* made = new_pooled<details>();
    made->under_way = under_way();
    made->used = used();
    made->has = has();
    made->is_held = is_held();
    word_ = reinterpret_cast<std::uintptr_t>(made) | details_bit;
  }
  return *more();
}

void copy::drop_details() {
  details* dropped = more();
  word_ = word_of(dropped->has, dropped->is_held, dropped->used);
  delete_pooled(dropped);
}

void copy::wait(waiting_access& a) {
  waiting_access*& last = make_details().waiting;
  if (last == nullptr) {
    a.next_ = &a;
  } else {
    a.next_ = last->next_;
    last->next_ = &a;
  }
  last = &a;
}

void copy::forget(waiting_access& a) {
  waiting_access*& last = more()->waiting;
  waiting_access* before = last;
  while (before->next_ != &a) before = before->next_;
  before->next_ = a.next_;
  if (last == &a) last = before == &a ? nullptr : before;
  a.next_ = nullptr;
}

waiting_access* copy::take_waiting() {
  if (!has_details() || more()->under_way != 0) return nullptr;
  waiting_access* last = std::exchange(more()->waiting, nullptr);
  if (!more()->value_follows) drop_details();
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
