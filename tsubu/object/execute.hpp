// How a method of an object is executed here, on the spot, and what becomes of its answer.
//
// A method answers in one of four ways (method.hpp). Whatever the way, the program's text is the same whether or not it
// suspends, and nothing is kept for one that does not: its answer is in a variable here when the call returns. For one
// that suspends, what is needed when it ends is put beside its coroutine.
#pragma once

#include <type_traits>

#include "tsubu/object/waiting_method.hpp"
#include "tsubu/remote/messages/error_report.hpp"

namespace tsubu::objects {

// Starts a coroutine method; true if it has ended, with its outcome in `result`.
template <class R>
[[gnu::always_inline]] inline bool start_method(task<R> work, outcome<R>& result,
                                                std::coroutine_handle<detail::task_promise<R>>& coroutine) {
  coroutine = work.release();
  coroutine.promise().keep_in(result);
  detail::start_inline(coroutine);
  return result.ready();
}

// ---- a method that is a coroutine

// Puts beside the coroutine what its answer needs when it ends.
template <class T, auto M, class R>
void answer_when_ended(object_base& b, const destination& to,
                       std::coroutine_handle<detail::task_promise<R>> coroutine) {
  auto* w = new_pooled<waiting_asked<T, M>>(b, to);
  coroutine.promise().keep_in(w->result);
  coroutine.promise().then(*w);
}

// A task<R>, whose result is the answer.
template <class T, auto M, class Owner, class... V>
[[gnu::always_inline]] inline void execute_awaited(object_space& s, object_base& b, Owner& o, const destination& to,
                                                   V&&... values) {
  using R = result_of<M>;
  running<T, M> method(b);
  outcome<R> result;
  std::coroutine_handle<detail::task_promise<R>> coroutine;
  if (start_method((o.*M)(std::forward<V>(values)...), result, coroutine)) [[likely]] {
    waiting_asked<T, M>::answer(b, to, result);
    method.ended(s);
    return;
  }
  if constexpr (std::is_void_v<R>) {
    if (!to.wanted()) {
      coroutine.promise().complete_to(waiting_past<T, M>::kind, &b);
      method.waits(s);
      return;
    }
  }
  answer_when_ended<T, M>(b, to, coroutine);
  method.waits(s);
}

// A task<void> that has the obligation to reply.
template <class T, auto M, class Owner, class... V>
[[gnu::always_inline]] inline void execute_replying_task(object_space& s, object_base& b, Owner& o,
                                                         const destination& to, V&&... values) {
  running<T, M> method(b);
  outcome<void> result;
  std::coroutine_handle<detail::task_promise<void>> coroutine;
  if (start_method((o.*M)(reply_to<result_of<M>>(to), std::forward<V>(values)...), result, coroutine)) {
    if (result.failed()) escaped_later(method_info_of<T, M>::value, b, result.error());
    method.ended(s);
    return;
  }
  coroutine.promise().complete_to(waiting_past<T, M>::kind, &b);
  method.waits(s);
}

// ---- a method that is a plain function; these pass on what it throws

template <auto M, class Owner, class... V>
[[gnu::always_inline]] inline void call_and_answer(Owner& o, const destination& to, V&&... values) {
  using R = result_of<M>;
  if constexpr (std::is_void_v<R>) {
    (o.*M)(std::forward<V>(values)...);
    if (to.wanted()) to.template value<void>(remote::done{});
  } else {
    auto value = (o.*M)(std::forward<V>(values)...);
    if (to.wanted()) to.template value<R>(std::move(value));
  }
}

// It answers, or another object will, by `to`: which names nobody any more if another does.
template <auto M, class Owner, class... V>
[[gnu::always_inline]] inline void call_delegating(object_space& s, Owner& o, destination& to, V&&... values) {
  using R = result_of<M>;
  const destination before = std::exchange(s.delegated_to, to);
  const bool asked = to.wanted();
  auto answered = [&] {
    try {
      return (o.*M)(std::forward<V>(values)...);
    } catch (...) {
      to = std::exchange(s.delegated_to, before);  // nobody, if it has delegated before it threw
      throw;
    }
  }();
  to = std::exchange(s.delegated_to, before);
  if (!answered.answered()) return;
  if (asked && !to.wanted()) replied_twice();
  if (!to.wanted()) return;
  if constexpr (std::is_void_v<R>) {
    to.template value<void>(remote::done{});
  } else {
    to.template value<R>(std::move(*answered.value()));
  }
}

template <class T, auto M, class Owner, class... V>
[[gnu::always_inline]] inline void execute_plain(object_space& s, object_base& b, Owner& o, const destination& asked,
                                                 V&&... values) {
  constexpr reply_kind how = shape<M>::how;
  // Not copied but where it may be changed: a copy of what has just been made, word by word, waits for it to be
  // written.
  std::conditional_t<how == reply_kind::delegated, destination, const destination&> to = asked;
  running<T, M> method(b);
  try {
    if constexpr (how == reply_kind::explicit_reply) {
      (o.*M)(reply_to<result_of<M>>(to), std::forward<V>(values)...);
    } else if constexpr (how == reply_kind::delegated) {
      call_delegating<M>(s, o, to, std::forward<V>(values)...);
    } else {
      call_and_answer<M>(o, to, std::forward<V>(values)...);
    }
  } catch (...) {
    if (how != reply_kind::explicit_reply && to.wanted()) {
      to.error();
    } else {
      escaped(method_info_of<T, M>::value, b);
    }
  }
  method.ended(s);
}

// `b`, which a ref<T> may name, can take a message, and this one is it.
template <class T, auto M, class... V>
void execute(object_space& s, object_base& b, const destination& to, V&&... values) {
  using m = shape<M>;
  auto& o = part_with_method<T, typename m::owner>(s, b);
  if constexpr (m::how == reply_kind::awaited) {
    execute_awaited<T, M>(s, b, o, to, std::forward<V>(values)...);
  } else if constexpr (m::is_task) {
    execute_replying_task<T, M>(s, b, o, to, std::forward<V>(values)...);
  } else {
    execute_plain<T, M>(s, b, o, to, std::forward<V>(values)...);
  }
}

// As execute(), for a message whose answer nobody wants. What most such methods are is compiled into the loop over a
// run of packets.
template <class T, auto M, class... V>
[[gnu::always_inline]] inline void execute_past(object_space& s, object_base& b, V&&... values) {
  using m = shape<M>;
  if constexpr (m::how == reply_kind::returned) {
    auto& o = part_with_method<T, typename m::owner>(s, b);
    running<T, M> method(b);
    try {
      (o.*M)(std::forward<V>(values)...);
    } catch (...) {
      escaped(method_info_of<T, M>::value, b);
    }
    method.ended(s);
  } else {
    execute<T, M>(s, b, destination(), std::forward<V>(values)...);
  }
}

// An exception of a method on this PE looks as one that came from another.
template <class R>
void as_remote(outcome<R>& result) {
  try {
    std::rethrow_exception(result.error());
  } catch (...) {
    const std::exception_ptr e = remote::answered_exception();
    std::destroy_at(&result);
    std::construct_at(&result);
    result.set_exception(e);
  }
}

// As execute(), for somebody who can take the answer at once: true if it is in `result` now. Else it comes to sink().
template <class T, auto M, class R, class Sink, class... V>
[[gnu::always_inline]] inline bool execute_asked(object_space& s, object_base& b, outcome<R>& result, Sink sink,
                                                 V&&... values) {
  using m = shape<M>;
  auto& o = part_with_method<T, typename m::owner>(s, b);
  if constexpr (m::how == reply_kind::returned) {
    running<T, M> method(b);
    try {
      if constexpr (std::is_void_v<R>) {
        (o.*M)(std::forward<V>(values)...);
        result.set_value();
      } else {
        result.set_value((o.*M)(std::forward<V>(values)...));
      }
    } catch (...) {
      result.set_exception(remote::answered_exception());
    }
    method.ended(s);
    return true;
  } else if constexpr (m::how == reply_kind::awaited) {
    running<T, M> method(b);
    std::coroutine_handle<detail::task_promise<R>> coroutine;
    if (start_method((o.*M)(std::forward<V>(values)...), result, coroutine)) [[likely]] {
      if (result.failed()) [[unlikely]]
        as_remote(result);
      method.ended(s);
      return true;
    }
    answer_when_ended<T, M>(b, destination(sink()), coroutine);
    method.waits(s);
    return false;
  } else {
    execute<T, M>(s, b, destination(sink()), std::forward<V>(values)...);
    return result.ready();
  }
}

}  // namespace tsubu::objects
