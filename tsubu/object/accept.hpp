// Selective reception: a method waits for some of its object's messages, out of their order; for one of them (accept),
// or for all that come (serve).
#pragma once

#include <limits>

#include "tsubu/object/queued_message.hpp"
#include "tsubu/remote/wait_reports.hpp"
#include "tsubu/task/wait.hpp"

namespace tsubu::objects {

// An object that waits is to be small: what this needs besides is in the padding of its base.
class accept_wait : public wait_record {
 public:
  // How many messages it takes: one, or those that come until the object is to end.
  enum class takes_up_to : std::uint8_t { one, all };

  accept_wait(object_base& of, takes_up_to how_many) : wait_record(accept_text, &of), how_many_(how_many) {}

  // Which of its methods the message is for, if it accepts it; or -1. The end of the object comes to who serves it,
  // too.
  int match(const mail& m) const {
    const int which = find(m);
    return which < 0 && takes_more() && ends_object(*m.of) ? takes_end : which;
  }

  bool await_ready();
  void await_suspend(std::coroutine_handle<> task, std::source_location from = std::source_location::current()) {
    suspend(task, from);
  }
  int await_resume() const { return which_; }

  virtual remote::wait_reports::wait_text told() const = 0;

  // ---- by the execution of objects

  // A message is executed now that is for this one of its methods.
  void takes(int which) { which_ = static_cast<std::int16_t>(which); }
  // It waits on when one has been executed.
  bool takes_more() const { return how_many_ == takes_up_to::all; }
  // It has been executed, and none is taken any more.
  void was_served() {
    served_ = true;
    if (waiting()) wake();
  }
  // When it is awaited, the wait's `object` becomes the accept() of the method that runs around this one, or null.
  accept_wait* outer() const { return static_cast<accept_wait*>(const_cast<void*>(object)); }

  static constexpr char accept_text[] = "a message";

 protected:
  ~accept_wait() = default;

 private:
  static constexpr int none_yet = -1, takes_end = std::numeric_limits<std::int16_t>::max();

  virtual int find(const mail& m) const = 0;

  std::int16_t which_ = none_yet;
  bool served_ = false;
  const takes_up_to how_many_;
};

template <auto M>
struct any_message {};

template <class T, class Guards, auto... M>
class [[nodiscard]] accepting : public accept_wait {
  static_assert((!reentrant<M> && ...), "a reentrant method is never waited for: it runs whenever it is asked to");

 public:
  accepting(object_base& of, takes_up_to how_many, Guards guards)
      : accept_wait(of, how_many), guards_(std::move(guards)) {}

 private:
  int find(const mail& m) const override { return find_in(m, std::make_index_sequence<sizeof...(M)>()); }
  template <std::size_t... I>
  int find_in(const mail& m, std::index_sequence<I...>) const {
    int found = -1;
    (void)((is_for<M, I>(m) && (found = static_cast<int>(I), true)) || ...);
    return found;
  }
  template <auto Method, std::size_t I>
  bool is_for(const mail& m) const {
    if (m.of->method != &method_identity<Method>) return false;
    const auto& guard = std::get<I>(guards_);
    const auto& values = static_cast<const typename queued<T, Method>::type&>(m).values;
    using G = std::tuple_element_t<I, Guards>;
    if constexpr (std::is_same_v<G, any_message<Method>>) {
      return true;
    } else if constexpr (std::is_invocable_r_v<bool, const G&>) {
      return guard();
    } else {
      return std::apply(guard, values);
    }
  }
  remote::wait_reports::wait_text told() const override {
    remote::wait_reports::wait_text text;
    ((text.whom += (text.whom.empty() ? "" : " or ") + method_name(typeid(any_message<M>).name())), ...);
    return text;
  }
  [[no_unique_address]] Guards guards_;
};

}  // namespace tsubu::objects
