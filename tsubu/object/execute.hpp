// A message for an object: how its method is executed here, or how it waits.
#pragma once

#include "tsubu/object/method.hpp"
#include "tsubu/object/space.hpp"

namespace tsubu {
template <class T>
class object;
}

namespace tsubu::objects {

template <class T>
object_type describe_type();
template <class T>
inline const std::uint32_t type_number = register_type(describe_type<T>());

template <class T, auto M>
struct method_info_of {
  static const method_info value;
};

// Methods that a user has declared reentrant, and the question how an object is doing.
template <class T, auto M>
consteval bool asks_status() {
  if constexpr (std::is_same_v<decltype(M), decltype(&tsubu::object<T>::tsubu_status)>) {
    return M == &tsubu::object<T>::tsubu_status;
  } else {
    return false;
  }
}
template <class T, auto M>
inline constexpr bool may_reenter = reentrant<M> || asks_status<T, M>();

// ---- a method that waits

// In completion_actions::about stands the method.
struct waiting_base : detail::object_completion {
  waiting_base(const detail::completion_actions& how, object_base& of) : object_completion(how, &of) {}
};
inline object_base& object_of(const detail::object_completion& end) { return *static_cast<object_base*>(end.object); }

template <class T, auto M>
void ended_after_waiting(object_base& o) {
  here().one_waits_less();
  if constexpr (may_reenter<T, M>) {
    here().reentrant_ended(o);
  } else {
    here().method_ended_of<T>(o);
  }
}

// Of a past message to a method without a result.
template <class T, auto M>
struct waiting_past {
  static void ended(detail::completion& self) noexcept {
    ended_after_waiting<T, M>(object_of(static_cast<detail::object_completion&>(self)));
  }
  static void failed(detail::completion&, std::exception_ptr error) noexcept {
    this_task_context->on_uncaught(std::move(error));
  }
  static const detail::completion_actions kind;
};
template <class T, auto M>
const detail::completion_actions waiting_past<T, M>::kind{&ended, &failed, &method_info_of<T, M>::value};

// Of any other.
template <class T, auto M>
struct waiting_asked : waiting_base {
  using R = typename remote::awaited<typename remote::signature_of<decltype(M)>::raw_result>::type;
  waiting_asked(object_base& of, const destination& reply) : waiting_base(kind, of), to(reply) {}
  destination to;
  outcome<R> result;

  static void ended(completion& self) noexcept {
    auto& w = static_cast<waiting_asked&>(self);
    object_base& o = object_of(w);
    answer(w.to, w.result);
    delete_pooled(&w);
    ended_after_waiting<T, M>(o);
  }
  static void answer(const destination& to, outcome<R>& result) {
    try {
      if constexpr (std::is_void_v<R>) {
        result.take();
        if (to.wanted()) to.value<void>(remote::done{});
      } else {
        R value = result.take();
        if (to.wanted()) to.value<R>(std::move(value));
      }
    } catch (...) {
      if (to.wanted()) {
        to.error();
      } else {
        this_task_context->on_uncaught(std::current_exception());
      }
    }
  }
  static const detail::completion_actions kind;
};
template <class T, auto M>
const detail::completion_actions waiting_asked<T, M>::kind{&ended, nullptr, &method_info_of<T, M>::value};

// ---- execution

// Marks the object as one whose method runs.
template <class T, auto M>
class running {
 public:
  [[gnu::always_inline]] explicit running(object_base& o) : o_(o), before_(o.tsubu_header.state) {
    o.tsubu_header.set(object_base::header::busy);
  }
  [[gnu::always_inline]] void ended(object_space& s) {
    if constexpr (may_reenter<T, M>) {
      if ((before_ & object_base::header::busy) != 0) return;
    }
    s.method_ended_of<T>(o_);
  }
  // Its method waits.
  void waits(object_space& s) {
    s.one_waits_more();
    if constexpr (may_reenter<T, M>) {
      s.reentrant_waits(o_);
      ended(s);  // which does not keep the object
    } else {
      o_.tsubu_header.set(object_base::header::waiting);
    }
  }

 private:
  object_base& o_;
  std::uint16_t before_;
};

// Starts a coroutine method; true if it has ended, with its outcome in `result`.
template <class R>
[[gnu::always_inline]] inline bool start_method(task<R> work, outcome<R>& result,
                                                std::coroutine_handle<detail::task_promise<R>>& coroutine) {
  coroutine = work.release();
  coroutine.promise().keep_in(result);
  detail::start_inline(coroutine);
  return result.ready();
}

// `b`, a T, can take a message, and this one is it.
template <class T, auto M, class... V>
void execute(object_space& s, object_base& b, destination to, V&&... values) {
  using m = shape<M>;
  auto& o = static_cast<typename m::owner&>(static_cast<T&>(b));
  running<T, M> method(b);
  if constexpr (m::how == way::awaited) {
    using R = typename m::result;
    outcome<R> result;
    std::coroutine_handle<detail::task_promise<R>> coroutine;
    if (start_method((o.*M)(std::forward<V>(values)...), result, coroutine)) [[likely]] {
      waiting_asked<T, M>::answer(to, result);
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
    auto* w = new_pooled<waiting_asked<T, M>>(b, to);
    coroutine.promise().keep_in(w->result);
    coroutine.promise().then(*w);
    method.waits(s);
  } else if constexpr (m::how == way::taken && m::is_task) {
    outcome<void> result;
    std::coroutine_handle<detail::task_promise<void>> coroutine;
    using R = typename m::result;
    if (start_method((o.*M)(reply_to<R>(to), std::forward<V>(values)...), result, coroutine)) {
      if (result.failed()) this_task_context->on_uncaught(result.error());
      method.ended(s);
      return;
    }
    coroutine.promise().complete_to(waiting_past<T, M>::kind, &b);
    method.waits(s);
  } else {
    try {
      if constexpr (m::how == way::taken) {
        (o.*M)(reply_to<typename m::result>(to), std::forward<V>(values)...);
      } else if constexpr (m::how == way::delegated) {
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
        if (asked && answered.answered() && !to.wanted()) replied_twice();
        if (answered.answered() && to.wanted()) {
          if constexpr (std::is_void_v<typename m::result>) {
            to.template value<void>(remote::done{});
          } else {
            to.template value<typename m::result>(std::move(*answered.value()));
          }
        }
      } else if constexpr (std::is_void_v<typename m::result>) {
        (o.*M)(std::forward<V>(values)...);
        if (to.wanted()) to.template value<void>(remote::done{});
      } else {
        auto value = (o.*M)(std::forward<V>(values)...);
        if (to.wanted()) to.template value<typename m::result>(std::move(value));
      }
    } catch (...) {
      if (m::how != way::taken && to.wanted()) {
        to.error();
      } else {
        message::this_endpoint->escaped(*method_info_of<T, M>::value.entry, std::current_exception());
      }
    }
    method.ended(s);
  }
}

// An exception of a method on this PE looks as one that came from another.
template <class R>
void as_remote(outcome<R>& result) {
  try {
    std::rethrow_exception(result.error());
  } catch (...) {
    const std::exception_ptr e = std::make_exception_ptr(remote::error_being_handled());
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
  auto& o = static_cast<typename m::owner&>(static_cast<T&>(b));
  if constexpr (m::how == way::returned) {
    running<T, M> method(b);
    try {
      if constexpr (std::is_void_v<R>) {
        (o.*M)(std::forward<V>(values)...);
        result.set_value();
      } else {
        result.set_value((o.*M)(std::forward<V>(values)...));
      }
    } catch (...) {
      result.set_exception(std::make_exception_ptr(remote::error_being_handled()));
    }
    method.ended(s);
    return true;
  } else if constexpr (m::how == way::awaited) {
    running<T, M> method(b);
    std::coroutine_handle<detail::task_promise<R>> coroutine;
    if (start_method((o.*M)(std::forward<V>(values)...), result, coroutine)) [[likely]] {
      if (result.failed()) [[unlikely]]
        as_remote(result);
      method.ended(s);
      return true;
    }
    auto* w = new_pooled<waiting_asked<T, M>>(b, destination(sink()));
    coroutine.promise().keep_in(w->result);
    coroutine.promise().then(*w);
    method.waits(s);
    return false;
  } else {
    execute<T, M>(s, b, destination(sink()), std::forward<V>(values)...);
    return result.ready();
  }
}

// ---- waiting

template <class T, auto M, class Values>
struct queued_message;
template <class T, auto M, class... V>
struct queued_message<T, M, std::tuple<V...>> {
  using type = message_with<V...>;

  template <class... A>
  static mail& make(const destination& to, A&&... a) {
    here().message_made(sizeof(type));
    return *new_pooled<type>(method_info_of<T, M>::value, to, std::forward<A>(a)...);
  }
  static void free(mail& m) {
    here().message_freed(sizeof(type));
    delete_pooled(static_cast<type*>(&m));
  }
  static void run(object_space& s, object_base& o, mail& m) {
    const destination to = m.reply;
    std::tuple<V...> values(std::move(static_cast<type&>(m).values));
    free(m);
    std::apply([&](V&... v) { execute<T, M>(s, o, to, std::move(v)...); }, values);
  }
  static void forward(object_space& s, const identity& id, pe_id to, std::uint32_t stay, mail& m, bool express);
};

template <class T, auto M>
using queued = queued_message<T, M, values_of<M>>;

// The message waits for `o`, which is busy or must not run now.
template <class T, auto M, class... A>
[[gnu::noinline]] void wait(object_space& s, object_base& o, const destination& to, bool express, A&&... a) {
  mail& m = queued<T, M>::make(to, std::forward<A>(a)...);
  if constexpr (may_reenter<T, M>) {
    // Not in the queue: it would wait there for a method that begins before it, and may wait for its answer.
    if (!o.tsubu_header.dormant()) return s.run_soon(o, m);
  }
  s.wait(o, m, express);
}

}  // namespace tsubu::objects
