#include "tsubu/remote/gate.hpp"

#include <exception>

namespace tsubu {
namespace remote {

gate_queue::~gate_queue() {
  for (item* const list : {posted_.load(), taken_}) {
    for (item* at = list; at != nullptr;) delete std::exchange(at, at->next);
  }
}

void gate_queue::let_go() {
  const std::lock_guard until_it_has_rung(at_the_end_);
  if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) pe_.transport().interrupt();
}

void gate_queue::post(std::unique_ptr<item> posted) {
  std::uint32_t before = waiting_.fetch_add(1, std::memory_order_acq_rel);
  while (before >= most_waiting && current_pe == nullptr) {
    waiting_.wait(before);
    before = waiting_.load(std::memory_order_acquire);
  }
  item* const made = posted.release();
  item* last = posted_.load(std::memory_order_relaxed);
  do {
    made->next = last;
  } while (!posted_.compare_exchange_weak(last, made, std::memory_order_acq_rel));
  // It is the PE's now. Whoever finds others waiting knows that the first of them rings.
  if (last == nullptr) pe_.transport().interrupt();
}

bool gate_queue::take_in() {
  if (taken_ == nullptr) {
    for (item* at = posted_.exchange(nullptr, std::memory_order_acq_rel); at != nullptr;) {
      item* const next = at->next;
      at->next = taken_;
      taken_ = std::exchange(at, next);
    }
  }
  std::uint32_t ran = 0;
  for (; taken_ != nullptr && ran < most_at_a_time; ++ran) {
    const std::unique_ptr<item> first(std::exchange(taken_, taken_->next));
    try {
      first->run();
    } catch (...) {
      task_context::fail_uncaught(std::current_exception());
    }
  }
  if (ran == 0) return false;
  if (waiting_.fetch_sub(ran, std::memory_order_acq_rel) >= most_waiting) waiting_.notify_all();
  return true;
}

bool gate_queue::ended() {
  if (holders_.load(std::memory_order_acquire) != 0) return false;
  const std::lock_guard until_the_last_has_rung(at_the_end_);
  return taken_ == nullptr && posted_.load(std::memory_order_acquire) == nullptr;
}

}  // namespace remote

gate::gate() {
  remote::pe* const here = remote::current_pe;
  if (here == nullptr) remote::outside_a_job("gate()");
  require(here->transport().has_other_threads(),
          "a gate is for other threads, and in a job whose PEs are simulated there are none");
  queue_ = std::make_shared<remote::gate_queue>(*here);
  queue_->hold();
  here->take_in_from(queue_);
}

}  // namespace tsubu
