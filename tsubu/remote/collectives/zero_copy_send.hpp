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
class zero_copy_send {
 public:
  // `owner` keeps the memory.
  explicit zero_copy_send(std::shared_ptr<const void> owner) : owner_(std::move(owner)) {}

  // Lends these, too.
  static transport::bulk_source source(const std::shared_ptr<zero_copy_send>& send, std::span<const std::byte> bytes) {
    ++send->out_;
    return {bytes, &taken, new std::shared_ptr<zero_copy_send>(send)};
  }

 private:
  friend class send_completion;
  static void taken(void* send) {
    const std::shared_ptr<zero_copy_send> held(std::move(*static_cast<std::shared_ptr<zero_copy_send>*>(send)));
    delete static_cast<std::shared_ptr<zero_copy_send>*>(send);
    zero_copy_send& l = *held;
    if (--l.out_ != 0 || l.waits_ == nullptr) return;
    --current_pe->collectives->awaited_sends;
    std::exchange(l.waits_, nullptr)->set_value();
  }

  std::shared_ptr<const void> owner_;
  int out_ = 0;
  oneshot<void>* waits_ = nullptr;
};

// `co_await` it before the memory is changed, or given to somebody else: it ends when all that was lent has left.
// `what` is shown while a task waits.
class send_completion {
 public:
  send_completion(std::shared_ptr<zero_copy_send> send, const char* what, std::source_location where)
      : send_(std::move(send)), where_(where), cell_(what) {
    if (send_->out_ == 0) {
      cell_.set_value();
    } else {
      send_->waits_ = &cell_;
      ++current_pe->collectives->awaited_sends;
    }
  }
  send_completion(const send_completion&) = delete;
  send_completion& operator=(const send_completion&) = delete;
  ~send_completion() {
    if (cell_.ready()) return;
    send_->waits_ = nullptr;
    --current_pe->collectives->awaited_sends;
  }

  bool await_ready() const { return cell_.ready(); }
  void await_suspend(std::coroutine_handle<> task) { cell_.suspend(task, where_); }
  void await_resume() { cell_.await_resume(); }

 private:
  std::shared_ptr<zero_copy_send> send_;
  std::source_location where_;
  oneshot<void> cell_;
};

}  // namespace tsubu::remote
