// A method while it runs, and what is kept of it while it waits.
//
// Its object takes no other message before it has ended, also across its waits. What has to be done at its end stands
// beside its coroutine: where the answer goes, if anybody wants one, and which object goes on.
#pragma once

#include "tsubu/object/method.hpp"
#include "tsubu/object/part.hpp"
#include "tsubu/task/outcome.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

// An object tells how it is doing also while its method waits, and notes who watches it.
template <>
inline constexpr bool reentrant<&objects::object_base::tsubu_status> = true;
template <>
inline constexpr bool reentrant<&objects::object_base::tsubu_watch> = true;
template <>
inline constexpr bool reentrant<&objects::object_base::tsubu_unwatch> = true;

}  // namespace tsubu

namespace tsubu::objects {

template <class T, auto M>
struct method_info_of {
  static const method_info value;
};

// A question that does not begin while many methods wait, see execution::many_wait().
template <auto M>
inline constexpr bool may_be_put_off = shape<M>::how == reply_kind::awaited && !reentrant<M>;

// ---- a method that waits

// In completion_actions::about stands the method.
struct waiting_base : detail::object_completion {
  waiting_base(const detail::completion_actions& how, object_base& of) : object_completion(how, &of) {}
};
inline object_base& object_of(const detail::object_completion& end) { return *static_cast<object_base*>(end.object); }

template <class T, auto M>
void ended_after_waiting(object_base& o) {
  this_space().runs.one_waits_less();
  if constexpr (reentrant<M>) {
    this_space().reentrant_ended(o);
  } else {
    this_space().method_ended_of<T>(o);
  }
}

// What is known at the end of a method that has suspended, where nobody takes an answer: of a past message to a method
// without a result, or one that answers by its reply_to.
template <class T, auto M>
struct waiting_past {
  static void ended(detail::completion& self) noexcept {
    ended_after_waiting<T, M>(object_of(static_cast<detail::object_completion&>(self)));
  }
  static void failed(detail::completion& self, std::exception_ptr error) noexcept {
    escaped_later(method_info_of<T, M>::value, object_of(static_cast<detail::object_completion&>(self)),
                  std::move(error));
  }
  static const detail::completion_actions kind;
};
template <class T, auto M>
const detail::completion_actions waiting_past<T, M>::kind{&ended, &failed, &method_info_of<T, M>::value};

// The same where there is an answer, or a result to drop.
template <class T, auto M>
struct waiting_asked : waiting_base {
  using R = result_of<M>;
  waiting_asked(object_base& of, const destination& reply) : waiting_base(kind, of), to(reply) {}
  destination to;
  outcome<R> result;

  static void ended(completion& self) noexcept {
    auto& w = static_cast<waiting_asked&>(self);
    object_base& o = object_of(w);
    answer(o, w.to, w.result);
    delete_pooled(&w);
    ended_after_waiting<T, M>(o);
  }
  static void answer(object_base& o, const destination& to, outcome<R>& result) {
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
        escaped_later(method_info_of<T, M>::value, o, std::current_exception());
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
    if constexpr (reentrant<M>) {
      if ((before_ & object_base::header::busy) != 0) return;
    }
    s.method_ended_of<T>(o_);
  }
  // Its method waits.
  void waits(object_space& s) {
    s.runs.one_waits_more();
    if constexpr (reentrant<M>) {
      s.runs.reentrant_waits(o_);
      ended(s);  // which does not keep the object
    } else {
      o_.tsubu_header.set(object_base::header::waiting);
    }
  }

 private:
  object_base& o_;
  std::uint16_t before_;
};

}  // namespace tsubu::objects
