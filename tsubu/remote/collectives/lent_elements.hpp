// Elements that leave without a copy: who sends them lends the memory in which they lie until they have left.
#pragma once

#include <cstddef>
#include <memory>
#include <source_location>
#include <span>
#include <utility>

#include "tsubu/remote/collectives/collective_box.hpp"
#include "tsubu/task/oneshot.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::remote {

// What a task has lent: memory, and how many bulks that lie in it have still to leave.
class lent_elements {
 public:
  // `owner` keeps the memory.
  explicit lent_elements(std::shared_ptr<const void> owner) : owner_(std::move(owner)) {}

  // Lends these, too.
  static transport::bulk_source source(const std::shared_ptr<lent_elements>& lent, std::span<const std::byte> bytes) {
    ++lent->out_;
    return {bytes, &taken, new std::shared_ptr<lent_elements>(lent)};
  }

 private:
  friend class has_left;
  static void taken(void* lent) {
    const std::shared_ptr<lent_elements> held(std::move(*static_cast<std::shared_ptr<lent_elements>*>(lent)));
    delete static_cast<std::shared_ptr<lent_elements>*>(lent);
    lent_elements& l = *held;
    if (--l.out_ != 0 || l.waits_ == nullptr) return;
    --current_pe->collectives->lending;
    std::exchange(l.waits_, nullptr)->set_value();
  }

  std::shared_ptr<const void> owner_;
  int out_ = 0;
  oneshot<void>* waits_ = nullptr;
};

// `co_await` it before the memory is changed, or given to somebody else: it ends when all that was lent has left.
// `what` is shown while a task waits.
class has_left {
 public:
  has_left(std::shared_ptr<lent_elements> lent, const char* what, std::source_location where)
      : lent_(std::move(lent)), where_(where), cell_(what) {
    if (lent_->out_ == 0) {
      cell_.set_value();
    } else {
      lent_->waits_ = &cell_;
      ++current_pe->collectives->lending;
    }
  }
  has_left(const has_left&) = delete;
  has_left& operator=(const has_left&) = delete;
  ~has_left() {
    if (cell_.ready()) return;
    lent_->waits_ = nullptr;
    --current_pe->collectives->lending;
  }

  bool await_ready() const { return cell_.ready(); }
  void await_suspend(std::coroutine_handle<> task) { cell_.suspend(task, where_); }
  void await_resume() { cell_.await_resume(); }

 private:
  std::shared_ptr<lent_elements> lent_;
  std::source_location where_;
  oneshot<void> cell_;
};

}  // namespace tsubu::remote
