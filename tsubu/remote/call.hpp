// What happens to a call on the PE it was sent to: the handlers behind past, now and future.
//
// A target that is a plain function runs on the spot; one that is a coroutine starts on the spot and
// costs no more if it never waits. What a target returns, or throws, goes back to the caller's slot.
#pragma once

#include <exception>
#include <type_traits>
#include <utility>

#include "tsubu/remote/reply.hpp"
#include "tsubu/remote/send.hpp"
#include "tsubu/remote/signature.hpp"
#include "tsubu/task/cell.hpp"
#include "tsubu/task/fetch.hpp"
#include "tsubu/task/future.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

// What happens on this PE when a target of past(), or another task that nobody awaits, throws. By
// default, also set by null, the job ends. A hook that returns lets the job go on.
using past_exception_hook = void (*)(std::exception_ptr);
void on_past_exception(past_exception_hook hook);

// Where a function called by past() will look, so that it is fetched while messages before it are executed.
// Specialise it for a function that jumps about in memory larger than the cache:
//
//   template <> struct tsubu::touches<relax> {
//     static constexpr int stages = 1;
//     static const void* address(int stage, vertex v, double) { return &(*distances)[v]; }
//   };
//
// message/handler.hpp tells what stages are, and what an address must be. Methods called through a
// global_ptr, and its reads, writes and atomic operations, look ahead by themselves.
template <auto F>
struct touches {
  static constexpr int stages = 0;
};

}  // namespace tsubu

namespace tsubu::remote {

// ---- answers

template <class R>
struct reply_value {
  using layout = wire::layout<std::uint32_t, std::uint32_t, carried<R>>;
  static constexpr message_kind kind = message_kind::reply;
  static constexpr std::size_t words = 1;
  static void call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, carried<R> value) {
    auto* sink = static_cast<value_sink<R>*>(current_pe->replies.take(d.from, slot, generation, &reply_type<R>));
    if (sink != nullptr) sink->value(std::move(value));
  }
};

struct reply_error {
  using layout = wire::layout<std::uint32_t, std::uint32_t, pe_id, std::string, std::string>;
  static void call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, pe_id pe, std::string type,
                   std::string message);
};

// The exception that is being handled, as who asked for it gets it.
remote_error error_being_handled();
// Sends the exception that is being handled.
void answer_error(reply_address to);

template <class R>
void answer_value(reply_address to, const R& value) {
  remote::send<reply_value<R>>(to.pe, to.slot, to.generation, value);
}
inline void answer_done(reply_address to) { remote::send<reply_value<void>>(to.pe, to.slot, to.generation, done{}); }

template <class R>
task<void> answer_later(reply_address to, task<R> work) {
  try {
    if constexpr (std::is_void_v<R>) {
      co_await std::move(work);
      answer_done(to);
    } else {
      answer_value<R>(to, co_await std::move(work));
    }
  } catch (...) {
    answer_error(to);
  }
}

// Runs f(values...) and sends its result to `to`.
template <class F, class... V>
void answer(reply_address to, F&& f, V&&... values) {
  using raw = std::invoke_result_t<F, V...>;
  if constexpr (awaited<raw>::is_task) {
    spawn(answer_later(to, std::forward<F>(f)(std::forward<V>(values)...)));
  } else {
    try {
      if constexpr (std::is_void_v<raw>) {
        std::forward<F>(f)(std::forward<V>(values)...);
        answer_done(to);
      } else {
        answer_value<std::decay_t<raw>>(to, std::forward<F>(f)(std::forward<V>(values)...));
      }
    } catch (...) {
      answer_error(to);
    }
  }
}

template <class R>
task<void> drop_result(task<R> work) {
  co_await std::move(work);
}

// Runs f(values...) for nobody.
template <class F, class... V>
[[gnu::always_inline]] inline void run_past(F&& f, V&&... values) {
  using raw = std::invoke_result_t<F, V...>;
  if constexpr (std::is_same_v<raw, task<void>>) {
    detail::spawn_outside_fibers(std::forward<F>(f)(std::forward<V>(values)...));
  } else if constexpr (awaited<raw>::is_task) {
    spawn(drop_result(std::forward<F>(f)(std::forward<V>(values)...)));
  } else {
    std::forward<F>(f)(std::forward<V>(values)...);
  }
}

// ---- functions

// Coroutines that a run of packets starts take turns where they fetch, a few at a time.
struct in_turns {
  fetch_group turns;
  [[gnu::always_inline]] void executed() { turns.make_room(); }
};

template <auto F>
struct past_call {
  using around_run = std::conditional_t<std::is_same_v<typename signature_of<decltype(F)>::raw_result, task<void>>,
                                        in_turns, message::nothing_around>;
  using layout = typename signature_of<decltype(F)>::template apply<wire::layout>;
  template <class... V>
  static void call(const message::delivery&, V&&... values) {
    run_past(F, std::forward<V>(values)...);
  }
  static constexpr int stages = touches<F>::stages;
  template <class... V>
  static const void* address(int stage, const V&... values) {
    return touches<F>::address(stage, values...);
  }
};

template <auto F>
struct ask_call {
  using layout = typename signature_of<decltype(F)>::template apply<wire::layout, reply_address>;
  template <class... V>
  static void call(const message::delivery&, reply_address to, V&&... values) {
    answer(to, F, std::forward<V>(values)...);
  }
};

// ---- lambdas: the closure's bytes travel before the arguments. A coroutine's closure is kept in the
// frame of a coroutine of ours, since the lambda's own frame only points to it.

template <class L, class... V>
task<typename awaited<std::invoke_result_t<L&, V...>>::type> keep_closure(L closure, V... values) {
  co_return co_await closure(std::move(values)...);
}

template <class L, class... A>
struct past_lambda {
  using layout = wire::layout<L, A...>;
  static void call(const message::delivery&, L closure, A... values) {
    if constexpr (awaited<std::invoke_result_t<L&, A...>>::is_task) {
      run_past(keep_closure<L, A...>, std::move(closure), std::move(values)...);
    } else {
      run_past(closure, std::move(values)...);
    }
  }
};

template <class L, class... A>
struct ask_lambda {
  using layout = wire::layout<reply_address, L, A...>;
  static void call(const message::delivery&, reply_address to, L closure, A... values) {
    if constexpr (awaited<std::invoke_result_t<L&, A...>>::is_task) {
      answer(to, keep_closure<L, A...>, std::move(closure), std::move(values)...);
    } else {
      answer(to, closure, std::move(values)...);
    }
  }
};

// ---- callers

// Sets a cell or a promise of R.
template <class Place, class V>
void set(Place& place, V value) {
  if constexpr (std::is_same_v<V, done>) {
    place.set_value();
  } else {
    place.set_value(std::move(value));
  }
}

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
