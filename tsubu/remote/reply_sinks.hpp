// Who takes the answer of a call: a task that waits for it in place, or a promise that outlives the call.
#pragma once

#include <exception>
#include <source_location>
#include <utility>

#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/reply.hpp"
#include "tsubu/task/cell.hpp"
#include "tsubu/task/future.hpp"

namespace tsubu::remote {

// `co_await at(3).now<f>(x)`: the place for the answer is in the caller's own frame.
template <class R>
class [[nodiscard]] now_reply final : value_sink<R> {
 public:
  // Sends with send(reply_address).
  template <class Send>
  now_reply(pe_id asked, const wire::handler_entry& of, Send send)
      : cell_("a reply", static_cast<value_sink<R>*>(this)),
        slot_(current_pe->replies.open(current_pe->number(), *this, &reply_type<R>, asked, &of)) {
    send(slot_);
  }
  now_reply(const now_reply&) = delete;
  now_reply& operator=(const now_reply&) = delete;
  ~now_reply() {
    if (!cell_.ready()) current_pe->replies.abandon(slot_);
  }

  bool await_ready() const { return cell_.ready(); }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    cell_.suspend(task, where);
  }
  void suspend(ready_item who, std::source_location where) { cell_.suspend(who, where); }
  R await_resume() { return cell_.await_resume(); }

 private:
  void value(carried<R> v) override { set(cell_, std::move(v)); }
  void error(std::exception_ptr e) override { cell_.set_exception(std::move(e)); }

  cell<R> cell_;
  reply_address slot_;
};

// Sets a promise; lives until the answer comes, whether or not the future is still wanted.
template <class R>
class future_reply final : value_sink<R> {
 public:
  static reply_address open(promise<R> result, pe_id asked, const wire::handler_entry& of) {
    return current_pe->replies.open(current_pe->number(), make(std::move(result)), &reply_type<R>, asked, &of);
  }
  // For one that is answered without a slot.
  static reply_sink& make(promise<R> result) { return *new_pooled<future_reply>(std::move(result)); }
  explicit future_reply(promise<R> result) : result_(std::move(result)) {}

 private:
  void value(carried<R> v) override {
    set(result_, std::move(v));
    delete_pooled(this);
  }
  void error(std::exception_ptr e) override {
    result_.set_exception(std::move(e));
    delete_pooled(this);
  }
  promise<R> result_;
};

}  // namespace tsubu::remote
