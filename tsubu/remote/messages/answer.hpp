// How an answer travels: as one packet, to the slot that its caller has opened; and who waits for it there.
//
// The slot, its generation and the type of the value are checked where it arrives (reply.hpp) before the caller gets
// it.
#pragma once

#include <exception>
#include <source_location>
#include <string>
#include <utility>

#include "tsubu/remote/messages/error_report.hpp"
#include "tsubu/remote/messages/reply.hpp"
#include "tsubu/remote/messages/send.hpp"
#include "tsubu/task/oneshot.hpp"

namespace tsubu::remote {

// Who waits in that slot for a value that comes from that PE; null: it waits no more.
template <class R>
value_sink<R>* take_sink(pe_id from, std::uint32_t slot, std::uint32_t generation) {
  return static_cast<value_sink<R>*>(current_pe->replies.take(from, slot, generation, &reply_type<R>));
}

template <class R>
struct reply_value {
  using layout = wire::layout<std::uint32_t, std::uint32_t, carried<R>>;
  static constexpr message_kind kind = message_kind::reply;
  static constexpr std::size_t words = 1;
  static void call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, carried<R> value) {
    auto* sink = take_sink<R>(d.from, slot, generation);
    if (sink != nullptr) sink->value(std::move(value));
  }
};

struct reply_error {
  using layout = wire::layout<std::uint32_t, std::uint32_t, error_report>;
  static void call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation,
                   const error_report& report);
};

// Answers of nothing and of a text, which many a program has, are compiled in the library.
extern template void send_thoughtfully<reply_value<void>, std::uint32_t, std::uint32_t, done>(pe_id, std::uint32_t,
                                                                                              std::uint32_t, done);
extern template void send_thoughtfully<reply_value<std::string>, std::uint32_t, std::uint32_t, const std::string&>(
    pe_id, std::uint32_t, std::uint32_t, const std::string&);

// Sends the exception that is being handled.
void answer_error(reply_address to);

// A slot of this PE, on which `asked` will answer with a value of R.
template <class R>
inline reply_address open_slot(reply_sink& sink, pe_id asked, const wire::handler_entry& of) {
  return current_pe->replies.open(current_pe->number(), sink, &reply_type<R>, asked, &of);
}

template <class R>
void answer_value(reply_address to, const R& value) {
  remote::send<reply_value<R>>(to.pe, to.slot, to.generation, value);
}
inline void answer_done(reply_address to) { remote::send<reply_value<void>>(to.pe, to.slot, to.generation, done{}); }

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

  oneshot<R> cell_;
  reply_address slot_;
};

}  // namespace tsubu::remote

namespace tsubu::message {

extern template std::size_t run_loop<remote::reply_value<void>>::execute(const wire::run&);
extern template std::size_t run_loop<remote::reply_value<std::string>>::execute(const wire::run&);

}  // namespace tsubu::message
