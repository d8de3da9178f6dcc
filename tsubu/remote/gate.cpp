#include "tsubu/remote/gate.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>

#include "tsubu/remote/outside_sources.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu {
namespace remote {

class gate_queue final : public outside_source {
 public:
  explicit gate_queue(pe& of) : pe_(of) {}
  gate_queue(const gate_queue&) = delete;
  gate_queue& operator=(const gate_queue&) = delete;
  ~gate_queue() override;

  // By any thread that holds the gate.
  void hold() { holders_.fetch_add(1, std::memory_order_relaxed); }
  void let_go();
  void post(std::unique_ptr<gate_item> posted);

  // By the PE. Runs some of what was posted; false if nothing was.
  bool take_in() override;
  bool ended() override;

 private:
  // A thread that posts more than the PE runs is held up when so many wait.
  static constexpr std::uint32_t most_waiting = 65'536;
  static constexpr int most_at_a_time = 1024;

  pe& pe_;
  std::mutex at_the_end_;  // the PE stays until the last holder has rung
  std::atomic<int> holders_{0};
  std::atomic<std::uint32_t> waiting_{0};
  std::atomic<gate_item*> posted_{nullptr};  // the last first
  gate_item* taken_ = nullptr;               // the first first; the PE's
};

gate_queue::~gate_queue() {
  for (gate_item* const list : {posted_.load(), taken_}) {
    for (gate_item* at = list; at != nullptr;) delete std::exchange(at, at->next);
  }
}

void gate_queue::let_go() {
  const std::lock_guard until_it_has_rung(at_the_end_);
  if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) pe_.transport().interrupt();
}

void gate_queue::post(std::unique_ptr<gate_item> posted) {
  std::uint32_t before = waiting_.fetch_add(1, std::memory_order_acq_rel);
  while (before >= most_waiting && current_pe == nullptr) {
    waiting_.wait(before);
    before = waiting_.load(std::memory_order_acquire);
  }
  gate_item* const made = posted.release();
  gate_item* last = posted_.load(std::memory_order_relaxed);
  do {
    made->next = last;
  } while (!posted_.compare_exchange_weak(last, made, std::memory_order_acq_rel));
  // It is the PE's now. Whoever finds others waiting knows that the first of them rings.
  if (last == nullptr) pe_.transport().interrupt();
}

bool gate_queue::take_in() {
  if (taken_ == nullptr) {
    for (gate_item* at = posted_.exchange(nullptr, std::memory_order_acq_rel); at != nullptr;) {
      gate_item* const next = at->next;
      at->next = taken_;
      taken_ = std::exchange(at, next);
    }
  }
  std::uint32_t ran = 0;
  for (; taken_ != nullptr && ran < most_at_a_time; ++ran) {
    const std::unique_ptr<gate_item> first(std::exchange(taken_, taken_->next));
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

gate::gate(const gate& other) : queue_(other.queue_) { queue_->hold(); }

gate::~gate() {
  if (queue_ != nullptr) queue_->let_go();
}

void gate::post_item(std::unique_ptr<remote::gate_item> item) const { queue_->post(std::move(item)); }

}  // namespace tsubu
