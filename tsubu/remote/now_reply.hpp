// A task that waits for the answer of its call: the place for the answer is in its own frame.
#pragma once

#include <exception>
#include <source_location>
#include <utility>

#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/reply.hpp"
#include "tsubu/task/cell.hpp"

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

}  // namespace tsubu::remote
