#include "tsubu/data/copy.hpp"

#include <utility>

namespace tsubu::data {

void copy::wait(waiting_access& a) {
  if (waiting == nullptr) {
    a.next_ = &a;
  } else {
    a.next_ = waiting->next_;
    waiting->next_ = &a;
  }
  waiting = &a;
}

void copy::forget(waiting_access& a) {
  waiting_access* before = waiting;
  while (before->next_ != &a) before = before->next_;
  before->next_ = a.next_;
  if (waiting == &a) waiting = before == &a ? nullptr : before;
  a.next_ = nullptr;
}

void copy::wake_all() {
  if (waiting == nullptr) return;
  waiting_access* each = waiting->next_;
  std::exchange(waiting, nullptr)->next_ = nullptr;
  while (each != nullptr) {
    waiting_access* next = std::exchange(each->next_, nullptr);
    each->look_again();
    each = next;
  }
}

}  // namespace tsubu::data
