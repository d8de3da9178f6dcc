// A question to an object whose class is known: Tsubu's, which knows besides where in the program it is asked. Asked of
// an object that has ended, it ends the job there.
#pragma once

#include <coroutine>
#include <cstdint>
#include <source_location>
#include <string>
#include <tuple>
#include <utility>

#include "abcl/runtime/keep.hpp"
#include "abcl/runtime/shown_message.hpp"
#include "abcl/runtime/site.hpp"
#include "abcl/runtime/wait.hpp"
#include "tsubu/object/object.hpp"
#include "tsubu/object/reply_to.hpp"
#include "tsubu/object/request.hpp"

namespace abcl {

namespace detail {

// The answer to a question of M, asked there; take() has it.
template <class T, auto M, class F>
tsubu::objects::result_of<M> answer_of(const site& by, F take) {
  try {
    return take();
  } catch (const tsubu::object_gone& gone) {
    // Else it is one that C++ has asked, and is told of as what C++ throws.
    if (gone.method() != tsubu::objects::method_name(tsubu::objects::method_info_of<T, M>::value)) throw;
    if (ending.load(std::memory_order_relaxed)) throw program_ends();
    const shown_message* const known = find_message(&tsubu::objects::method_identity<M>);
    asked_nobody(number_of(by), known != nullptr ? known->text : gone.method());
  }
}

// Tells where it waits.
template <class T, auto M, class... V>
class placed_request final : public tsubu::objects::asking<T, M, V...> {
 public:
  placed_request(const site& by, const tsubu::objects::identity& to, std::tuple<V...>&& values)
      : tsubu::objects::asking<T, M, V...>(to, std::move(values)), by_(by) {}
  const site& by() const { return by_; }

 private:
  wait_text told(const tsubu::wait_record& w) const override { return told_at(w, by_, asked_text(this->to())); }
  const site& by_;
};

template <class T, auto M, class... V>
class question_awaiter {
 public:
  question_awaiter(const site& by, const tsubu::objects::identity& to, std::tuple<V...>&& values)
      : of_(by, to, std::move(values)) {}
  question_awaiter(const question_awaiter&) = delete;
  question_awaiter& operator=(const question_awaiter&) = delete;

  bool await_ready() { return of_.await_ready() && !is_time_to_turn(); }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    suspend(task, where);
  }
  void suspend(tsubu::ready_item who, std::source_location where) {
    if (collects && of_.answered_already()) return tsubu::this_task_context->ready(who);
    of_.suspend(who, where);
  }
  tsubu::objects::result_of<M> await_resume() {
    return answer_of<T, M>(of_.by(), [this]() { return of_.await_resume(); });
  }

 private:
  placed_request<T, M, V...> of_;
};

}  // namespace detail

template <class T, auto M, class... V>
class [[nodiscard("a question is sent when it is awaited")]] question : public tsubu::request<T, M, V...> {
  using request = tsubu::request<T, M, V...>;
  struct asked {
    std::tuple<V...>&& values;
    const site& by;
  };

 public:
  template <class... A>
  question(const site& by, const tsubu::objects::identity& to, A&&... a)
      : request(to, std::forward<A>(a)...), by_(&by) {}

  detail::question_awaiter<T, M, V...> operator co_await() && {
    return {*by_, this->to(), std::move(*this).request::values()};
  }

  // For tsubu::both().
  class pending : public request::pending {
   public:
    explicit pending(asked&& of) : request::pending(std::move(of.values)), by_(of.by) {}
    tsubu::objects::result_of<M> take() {
      return detail::answer_of<T, M>(by_, [this]() { return request::pending::take(); });
    }

   private:
    const site& by_;
  };
  asked values() && { return {std::move(*this).request::values(), *by_}; }

 private:
  const site* by_;
};

namespace detail {

// The first place that both back ends wait at is told, while its answer has not come. Where the second question is a
// now send, it is waited for first.
template <const site& first_at, const site& second_at, bool second_is_now, class A, class B>
class both_questions final : public tsubu::objects::asking_both<A, B> {
 public:
  using tsubu::objects::asking_both<A, B>::asking_both;

 private:
  wait_text told(const tsubu::wait_record& w) const override {
    if (second_is_now && !this->second().answered_already())
      return told_at(w, second_at, asked_text(this->second().to()));
    return told_at(w, this->first().answered_already() ? second_at : first_at);
  }
};

}  // namespace detail

// tsubu::both(), whose answers are waited for at these places, which its objects need not know.
template <const site& first, const site& second, bool second_is_now, class A, class B>
auto both(A a, B b) {
  return detail::both_questions<first, second, second_is_now, A, B>(std::move(a), std::move(b));
}

// An object that is sent to, at a place in the program.
template <class T>
class target : public tsubu::ref<T> {
 public:
  target(const tsubu::ref<T>& object, const site& by) : tsubu::ref<T>(object), by_(by) {}

  template <auto M, class... A>
  auto now(A&&... a) const {
    return ask<M>(static_cast<const tsubu::objects::values_of<M>*>(nullptr), std::forward<A>(a)...);
  }

 private:
  template <auto M, class... V, class... A>
  question<T, M, V...> ask(const std::tuple<V...>*, A&&... a) const {
    return question<T, M, V...>(by_, this->id(), std::forward<A>(a)...);
  }
  const site& by_;
};

}  // namespace abcl
