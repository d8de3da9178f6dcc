// Elements that leave without a copy: who sends them lends the memory in which they lie until they have left.
#pragma once

#include <cstddef>
#include <memory>
#include <source_location>
#include <span>
#include <utility>

#include "tsubu/remote/collective_box.hpp"
#include "tsubu/task/oneshot.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::remote {

// What is known of a bulk whose bytes lie in somebody's memory: whether it has left, and who waits for that.
class lent_bulk {
 public:
  // `owner` keeps the memory.
  explicit lent_bulk(std::shared_ptr<const void> owner) : owner_(std::move(owner)) {}

  static transport::bulk_source source(const std::shared_ptr<lent_bulk>& bulk, std::span<const std::byte> bytes) {
    return {bytes, &taken, new std::shared_ptr<lent_bulk>(bulk)};
  }

 private:
  friend class has_left;
  static void taken(void* bulk) {
    const std::unique_ptr<std::shared_ptr<lent_bulk>> held(static_cast<std::shared_ptr<lent_bulk>*>(bulk));
    lent_bulk& b = **held;
    b.left_ = true;
    if (b.waits_ == nullptr) return;
    --current_pe->collectives->lending;
    std::exchange(b.waits_, nullptr)->set_value();
  }

  std::shared_ptr<const void> owner_;
  bool left_ = false;
  oneshot<void>* waits_ = nullptr;
};

// `co_await` it before the memory is changed, or given to somebody else. `what` is shown while a task waits.
class has_left {
 public:
  has_left(std::shared_ptr<lent_bulk> bulk, const char* what, std::source_location where)
      : bulk_(std::move(bulk)), where_(where), cell_(what) {
    if (bulk_ == nullptr || bulk_->left_) {
      cell_.set_value();
    } else {
      bulk_->waits_ = &cell_;
      ++current_pe->collectives->lending;
    }
  }
  has_left(const has_left&) = delete;
  has_left& operator=(const has_left&) = delete;
  ~has_left() {
    if (cell_.ready()) return;
    bulk_->waits_ = nullptr;
    --current_pe->collectives->lending;
  }

  bool await_ready() const { return cell_.ready(); }
  void await_suspend(std::coroutine_handle<> task) { cell_.suspend(task, where_); }
  void await_resume() { cell_.await_resume(); }

 private:
  std::shared_ptr<lent_bulk> bulk_;
  std::source_location where_;
  oneshot<void> cell_;
};

}  // namespace tsubu::remote
