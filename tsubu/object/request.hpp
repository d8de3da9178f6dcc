// A question to an object: `co_await c.now<&counter::get>()`.
//
// It is sent when it is awaited. An object on the same PE that is dormant answers on the asker's stack: then the asker
// does not wait, and nothing is allocated for the question.
#pragma once

#include <source_location>

#include "tsubu/object/deliver.hpp"
#include "tsubu/object/send.hpp"
#include "tsubu/remote/wait_reports.hpp"
#include "tsubu/task/future.hpp"

namespace tsubu {

namespace objects {

// Asks: true if the answer is in `result` now; else it comes to sink().
template <class T, auto M, class R, class Sink, class... V>
[[gnu::always_inline]] inline bool ask(const identity& id, outcome<R>& result, Sink sink, V&&... values) {
  object_space& s = this_space();
  if (id.home == s.me()) [[likely]] {
    object_base* const o = find_object<T>(s, id);
    if (o != nullptr && o->tsubu_header.dormant() && execution::may_run_on_this_stack() && s.runs.in_slice(*o))
        [[likely]]
      return execute_asked<T, M>(s, *o, result, sink, std::forward<V>(values)...);
    deliver_later<T, M>(s, o, id, no_pe, destination(sink()), false, std::forward<V>(values)...);
  } else {
    send_question<T, M>(id, destination(sink()), std::forward<V>(values)...);
  }
  return result.ready();  // a method that waits may have accepted it at once
}

// For reports: who is asked, and what else is known of the wait.
struct question {
  virtual remote::wait_reports::wait_text told(const wait_record& w) const = 0;

 protected:
  ~question() = default;
};
inline constexpr char asked_text[] = "the answer";
template <class T, auto M>
std::string asked_text_of(const identity& to) {
  return name_text(to, type_number<T>) + ", " + method_name(method_info_of<T, M>::value);
}

// An answer that is there already.
template <class R>
void settle(promise<R>& given, outcome<R>& result) {
  if (result.failed()) {
    given.set_exception(result.error());
  } else if constexpr (std::is_void_v<R>) {
    given.set_value();
  } else {
    given.set_value(result.take());
  }
}

// A question that is pending: what it carries until it is sent, and then its answer.
template <class R, class... V>
class pending_request : remote::value_sink<R> {
 public:
  explicit pending_request(std::tuple<V...>&& values) : values_(std::move(values)) {}
  pending_request(const pending_request&) = delete;
  pending_request& operator=(const pending_request&) = delete;
  [[gnu::always_inline]] ~pending_request() {
    if (sent_) {
      std::destroy_at(&result_);
    } else {
      std::destroy_at(&values_);
    }
  }

  // Sends it, as objects::ask() does.
  template <class T, auto M>
  bool ask(const identity& to) {
    std::tuple<V...> values(std::move(values_));
    std::destroy_at(&values_);
    std::construct_at(&result_);
    sent_ = true;
    return ask_with<T, M>(to, std::move(values), std::index_sequence_for<V...>());
  }
  bool answered_already() const { return result_.ready(); }
  R take() { return result_.take(); }

 private:
  template <class T, auto M, std::size_t... I>
  [[gnu::always_inline]] bool ask_with(const identity& to, std::tuple<V...>&& values, std::index_sequence<I...>) {
    return objects::ask<T, M>(
        to, result_, [this]() -> remote::reply_sink& { return *this; }, std::get<I>(std::move(values))...);
  }
  virtual void answered() = 0;
  void value(remote::carried<R> v) final {
    remote::set(result_, std::move(v));
    answered();
  }
  void error(std::exception_ptr e) final {
    result_.set_exception(std::move(e));
    answered();
  }

  union {
    std::tuple<V...> values_;
    outcome<R> result_;
  };
  bool sent_ = false;
};

// What awaits a question. A floor above may know more of it, and tell that in reports.
template <class T, auto M, class... V>
class asking : public pending_request<result_of<M>, V...>, question {
 public:
  asking(const identity& to, std::tuple<V...>&& values)
      : pending_request<result_of<M>, V...>(std::move(values)), to_(to) {}
  bool await_ready() { return this->template ask<T, M>(to_); }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    record_.suspend(task, where);
  }
  void suspend(ready_item who, std::source_location where) { record_.suspend(who, where); }
  result_of<M> await_resume() { return this->take(); }

 protected:
  [[gnu::always_inline]] ~asking() {}
  const identity& to() const { return to_; }

 private:
  void answered() final {
    if (record_.waiting()) record_.wake();
  }
  std::string asked() const final { return asked_text_of<T, M>(to_); }
  remote::wait_reports::wait_text told(const wait_record&) const override {
    remote::wait_reports::wait_text text;
    text.whom = asked();
    return text;
  }

  identity to_;
  wait_record record_{asked_text, static_cast<const question*>(this)};
};

template <class T, auto M, class... V>
class request_awaiter final : public asking<T, M, V...> {
 public:
  using asking<T, M, V...>::asking;
};

}  // namespace objects

// What now() returns: to be awaited, given to both(), or returned by a method that delegates.
// Local; blocks when it is awaited, until the answer is there; throws remote_error where the method threw, or
// object_gone.
template <class T, auto M, class... V>
class [[nodiscard("a question is sent when it is awaited")]] request {
 public:
  using value_type = objects::result_of<M>;
  static constexpr auto method = M;
  using object_type = T;
  using pending = objects::pending_request<value_type, V...>;

  template <class... A>
  explicit request(const objects::identity& to, A&&... a) : to_(to), values_(std::forward<A>(a)...) {}

  objects::request_awaiter<T, M, V...> operator co_await() && { return {to_, std::move(values_)}; }

  // The asker of the delegating method that runs now gets the answer.
  void delegate() {
    const objects::destination asker = std::exchange(objects::this_space().delegated_to, objects::destination());
    std::apply([&](V&... v) { objects::send_delegated<T, M>(to_, asker, std::move(v)...); }, values_);
  }

  // The runtime's.
  const objects::identity& to() const { return to_; }
  std::tuple<V...>&& values() && { return std::move(values_); }

 private:
  objects::identity to_;
  std::tuple<V...> values_;
};

namespace objects {

// Several questions that are awaited together.
class join {
 public:
  explicit join(const question* of) : record(asked_text, of) {}
  join(const join&) = delete;
  join& operator=(const join&) = delete;
  // While it waits for so many.
  void wait_for(int count) { left_ = count; }
  void one_less() {
    if (record.waiting() && --left_ == 0) record.wake();
  }
  wait_record record;

 private:
  int left_;
};

template <class Request>
class joined_request final : public Request::pending {
 public:
  explicit joined_request(Request&& q) : Request::pending(std::move(q).values()), to_(q.to()) {}
  void ask_for(join& all) {
    all_ = &all;
    this->template ask<typename Request::object_type, Request::method>(to_);
  }
  const identity& to() const { return to_; }
  std::string asked() const override { return asked_text_of<typename Request::object_type, Request::method>(to_); }

 private:
  void answered() override { all_->one_less(); }
  identity to_;
  join* all_;
};

// One that goes to another PE is sent first, so that it is answered while the other runs here.
template <class A, class B>
class asking_both : question {
 public:
  asking_both(A&& a, B&& b) : first_(std::move(a)), second_(std::move(b)), all_(this) {}
  asking_both(const asking_both&) = delete;
  asking_both& operator=(const asking_both&) = delete;

  bool await_ready() {
    const pe_id me = this_space().me();
    const bool second_first = second_.to().home != me && first_.to().home == me;
    if (second_first) second_.ask_for(all_);
    first_.ask_for(all_);
    if (!second_first) second_.ask_for(all_);
    const int left = !first_.answered_already() + !second_.answered_already();
    all_.wait_for(left);
    return left == 0;
  }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    all_.record.suspend(task, where);
  }
  void suspend(ready_item who, std::source_location where) { all_.record.suspend(who, where); }
  std::pair<typename A::value_type, typename B::value_type> await_resume() {
    // Both have ended, so neither refers to this when the first throws.
    auto first = first_.take();
    return {std::move(first), second_.take()};
  }

 protected:
  [[gnu::always_inline]] ~asking_both() {}
  const joined_request<A>& first() const { return first_; }
  const joined_request<B>& second() const { return second_; }

 private:
  remote::wait_reports::wait_text told(const wait_record&) const override {
    remote::wait_reports::wait_text text;
    if (!first_.answered_already()) text.whom = first_.asked();
    if (!second_.answered_already()) text.whom += (text.whom.empty() ? "" : "; ") + second_.asked();
    return text;
  }

  joined_request<A> first_;
  joined_request<B> second_;
  join all_;
};

template <class A, class B>
class [[nodiscard]] both_requests final : public asking_both<A, B> {
 public:
  using asking_both<A, B>::asking_both;
};

}  // namespace objects

// `auto [x, y] = co_await both(a.now<&T::m>(1), b.now<&T::m>(2));`: asks both, then waits for both answers.
// Local; blocks until both answers are there; throws the first of what they threw, in the order of the arguments.
template <class A, class B>
auto both(A a, B b) {
  return objects::both_requests<A, B>(std::move(a), std::move(b));
}

}  // namespace tsubu
