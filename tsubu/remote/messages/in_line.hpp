// Replies that name nobody.
//
// Packets from one PE to another are executed in the order they were sent. So where the handler of a request always
// sends exactly one answer before it returns, answers come back in the order of the requests, and neither has to say
// whose it is: the caller waits in a line, one for each PE and type of answer, and an answer is for the first in it.
// That saves 20 bytes over a reply_address. Who goes away leaves a gap in the line, and the answer is dropped. An
// answer that nobody waits for ends the job.
#pragma once

#include <memory>
#include <source_location>
#include <utility>

#include "tsubu/base/paged_array.hpp"
#include "tsubu/remote/messages/reply.hpp"
#include "tsubu/remote/messages/send.hpp"
#include "tsubu/remote/messages/waiting_line.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/task/oneshot.hpp"

namespace tsubu::remote {

template <class R>
class lines_of {
 public:
  using line = waiting_line<oneshot<R>>;
  lines_of() : by_pe_(static_cast<std::size_t>(pe_count())) {}
  line& operator[](pe_id pe) { return by_pe_[static_cast<std::uint32_t>(pe)]; }

 private:
  paged_array<line> by_pe_;
};

[[noreturn, gnu::cold]] void refuse_answer(pe_id from, const wire::handler_entry& of);

template <class R>
struct next_answer {
  static_assert(wire::plain<carried<R>>);
  using layout = wire::layout<carried<R>>;
  static constexpr message_kind kind = message_kind::answer;
  inline static pe_local<lines_of<R>> lines;
  static void call(const message::delivery& d, const carried<R>& value) {
    auto& line = (*lines)[d.from];
    if (line.size() == 0) [[unlikely]]
      refuse_answer(d.from, message::registered<next_answer>::entry);
    line.take(1, [&value](oneshot<R>** first, std::size_t) {
      if (*first != nullptr) set(**first, value);
    });
  }
};

// By the handler of a request from `to`, once.
template <class R>
void answer_next(pe_id to, const carried<R>& value) {
  remote::send<next_answer<R>>(to, value);
}

// Awaits the answer of `asked` to the request that `send()` sends.
template <class R>
class [[nodiscard]] reply_in_line {
 public:
  template <class Send>
  reply_in_line(pe_id asked, Send send) {
    send();
    place_ = (*next_answer<R>::lines)[asked].push(&cell_);
  }
  reply_in_line(const reply_in_line&) = delete;
  reply_in_line& operator=(const reply_in_line&) = delete;
  ~reply_in_line() {
    if (place_ != nullptr && !cell_.ready()) *place_ = nullptr;
  }

  bool await_ready() const { return cell_.ready(); }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    cell_.suspend(task, where);
  }
  void suspend(ready_item who, std::source_location where) { cell_.suspend(who, where); }
  R await_resume() {
    place_ = nullptr;
    return cell_.await_resume();
  }

 private:
  oneshot<R> cell_{"memory of another PE"};
  oneshot<R>** place_;  // null when the answer has been taken
};

}  // namespace tsubu::remote

// Answers of nothing, to writes, are compiled in the library.
namespace tsubu::message {

extern template std::size_t run_loop<remote::next_answer<void>>::execute(const wire::run&);

}  // namespace tsubu::message
