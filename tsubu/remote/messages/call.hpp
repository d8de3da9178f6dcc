// What happens to a call on the PE it was sent to: the handlers behind past, now and future.
//
// A target that is a plain function runs on the spot; one that is a coroutine starts on the spot and
// costs no more if it never waits. What a target returns, or throws, goes back to the caller's slot.
#pragma once

#include <exception>
#include <type_traits>
#include <utility>

#include "tsubu/remote/messages/answer.hpp"
#include "tsubu/remote/messages/pure.hpp"
#include "tsubu/remote/messages/signature.hpp"
#include "tsubu/task/fetch.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

// What happens on this PE when a target of past(), or another task that nobody awaits, throws. By
// default, also set by null, the job ends. A hook that returns lets the job go on.
using past_exception_hook = void (*)(std::exception_ptr);
// Sets it, for this PE.
// Local; does not block; throws nothing.
void on_past_exception(past_exception_hook hook);

// Where a function called by past() will look, so that it is fetched while messages before it are executed.
// Specialise it for a function that jumps about in memory larger than the cache:
//
//   template <> struct tsubu::touches<relax> {
//     static constexpr int stages = 1;
//     static const void* address(int stage, vertex v, double) { return &(*distances)[v]; }
//   };
//
// message/fetch_ahead.hpp tells what stages are, and what an address must be. Stage 0 is also asked for a message that
// is only expected (--tsubu-predictor). Methods called through a global_ptr, and its reads, writes and atomic
// operations, look ahead by themselves.
// Local; must not block; nor throw.
template <auto F>
struct touches {
  static constexpr int stages = 0;
};

}  // namespace tsubu

namespace tsubu::remote {

// ---- answers

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
  using result = typename signature_of<decltype(F)>::result;
  using layout = typename signature_of<decltype(F)>::template apply<wire::layout, reply_address>;
  template <class... V>
  static void call(const message::delivery&, reply_address to, V&&... values) {
    if constexpr (pure<F>) {
      if (const std::optional<result> known = computed_ahead<ask_call, result>(values...))
        return answer_value<result>(to, *known);
    }
    answer(to, F, std::forward<V>(values)...);
  }

  static constexpr bool is_computed_ahead = pure<F>;
  static std::uint64_t ahead_key(pe_id, const std::byte* head) {
    return hash_of_packet(head, layout::packet_bytes, 0, sizeof(reply_address));
  }
  static void compute_ahead(pe_id, const std::byte* head) {
    static_assert(!signature_of<decltype(F)>::is_task,
                  "a pure function is no coroutine: it is called before it is asked");
    layout::read(head,
                 [](reply_address, const auto&... values) { remote::compute_ahead<ask_call, result>(F, values...); });
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

}  // namespace tsubu::remote
