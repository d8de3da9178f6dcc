// `co_await x.read()`: an access that somebody awaits. What cannot be done at once is sent home as an access_message,
// and is answered by one of the messages in access_request.hpp; the dispatcher runs their `call` on the PE where they
// arrive.
//
// What is accessed is a place: variable_place<T> or element_place<T, D>. It has name() and home(), and is_here(space):
// then value_to_read() and value_to_write(), null if that cannot be done at once, and entry_here().
#pragma once

#include <memory>
#include <source_location>
#include <tuple>
#include <utility>

#include "tsubu/data/variables/access_request.hpp"
#include "tsubu/task/group.hpp"
#include "tsubu/task/oneshot.hpp"

namespace tsubu::data {

// The value, if the operation can be done on this PE at once; else null.
template <class T, class Operation, class Place>
[[gnu::always_inline]] inline T* value_at_once(data_space& s, const Place& place) {
  if (place.is_here(s)) {
    if constexpr (Operation::writes) {
      return place.value_to_write(s);
    } else {
      return place.value_to_read(s);
    }
  }
  copy* c = s.copies.look(place.name());
  if (c == nullptr || !(Operation::writes ? c->can_write() : c->can_read())) return nullptr;
  Operation::writes ? c->count_write() : c->count_read();
  return &c->value<T>();
}

// What is here does not do for an access that must be sent home: says so before it is sent.
inline void begin_sending(const data_space& s, key name, copy& c, pe_id home, bool writes) {
  if (writes && c.has() == copy::state::shared) {
    const std::uint32_t reads = c.take_used().reads;
    if (reads >= copy_was_read::least || (reads != 0 && s.recorded != nullptr)) [[unlikely]]
      tell_home_of_reads(home, name, reads);
    c.set_invalid();
  }
  c.begin_access();
}

// An access that could not be done at once. Where it can, it answers itself; else the home does.
template <class T, class Place, class Operation, class... A>
class slow_access final : waiting_access, remote::value_sink<result_of<T, Operation, A...>> {
 public:
  using R = result_of<T, Operation, A...>;

  slow_access(const Place& place, std::tuple<A...>&& arguments)
      : place_(place),
        arguments_(std::move(arguments)),
        answer_("shared data", static_cast<remote::value_sink<R>*>(this)) {
    if (this_space().recorded != nullptr) [[unlikely]]
      this_space().begin_wait(awaited);
  }
  slow_access(const slow_access&) = delete;
  slow_access& operator=(const slow_access&) = delete;
  ~slow_access() {
    if (this_space().recorded != nullptr) [[unlikely]]
      this_space().end_wait(awaited, slot_.generation != 0 && place_.home() != slot_.pe);
    if (answer_.ready()) return;
    if (waits_) {
      this_space().copies.find(place_.name())->forget(*this);
    } else {
      remote::current_pe->replies.abandon(slot_);
    }
  }

  void begin() { look_again(); }
  // To be awaited.
  oneshot<R>& answer() { return answer_; }

 private:
  // Perhaps in the handler of another access's answer.
  void look_again() override {
    const task_group_scope inside(group_);
    data_space& s = this_space();
    waits_ = false;
    if (T* value = value_at_once<T, Operation>(s, place_)) return do_here(*value);
    if (place_.is_here(s)) return ask([&] { do_at_home_later(s); });
    check_named(place_.name());
    s.adds.send_if_kept(place_.name());
    copy& c = s.find_or_make_copy(place_.name());
    const copy::state has = c.has();
    const bool enough = Operation::writes ? has == copy::state::modified : has != copy::state::invalid;
    if (enough || (c.value_follows() && !Operation::writes)) {
      waits_ = true;
      return c.wait(*this);
    }
    begin_sending(s, place_.name(), c, place_.home(), Operation::writes);
    ask([&] {
      std::apply(
          [&](A&... a) {
            remote::send<access_message<T, Operation, A...>>(place_.home(), slot_.slot, slot_.generation, place_.name(),
                                                             a...);
          },
          arguments_);
    });
  }

  template <class Send>
  void ask(Send send) {
    slot_ = remote::open_slot<R>(*this, place_.home(), message::registered<access_message<T, Operation, A...>>::entry);
    send();
  }
  void do_at_home_later(data_space& s) {
    directory_entry* entry = place_.entry_here(s);
    if (entry == nullptr) return answer_ended(slot_, place_.name(), typeid(T));
    std::apply([&](A&... a) { do_at_home<T, Operation, A...>(*entry, slot_, std::move(a)...); }, arguments_);
    s.done_with(place_.name());
  }

  void do_here(T& value) {
    auto with = [&](A&... a) -> decltype(auto) { return Operation::run(value, std::move(a)...); };
    try {
      if constexpr (std::is_void_v<R>) {
        std::apply(with, arguments_);
        answer_.set_value();
      } else {
        answer_.set_value(R(std::apply(with, arguments_)));
      }
    } catch (...) {
      answer_.set_exception(remote::answered_exception());
    }
  }

  void value(remote::carried<R> v) override { remote::set(answer_, std::move(v)); }
  void error(std::exception_ptr e) override { answer_.set_exception(std::move(e)); }

  static constexpr wait_kind awaited = Operation::writes ? wait_kind::write : wait_kind::read;

  Place place_;
  [[no_unique_address]] std::tuple<A...> arguments_;
  oneshot<R> answer_;
  remote::reply_address slot_{};
  task_group* const group_ = this_task_group;  // of who awaits it
  bool waits_ = false;
};

// The result of an access that is done at once. A value that needs no destructor is kept as it is, without a word about
// whether it is there.
template <class R>
struct result_at_once {
  void set(R v) { value = std::move(v); }
  R value{};
};
template <class R>
  requires std::is_trivially_copyable_v<R>
struct result_at_once<R> {
  result_at_once() {}
  [[gnu::always_inline]] void set(const R& v) { value = v; }
  union {
    R value;
  };
};
template <>
struct result_at_once<void> {};

// What read(), write() and change() give. It can be awaited once.
template <class T, class Place, class Operation, class... A>
class [[nodiscard]] access {
 public:
  using R = result_of<T, Operation, A...>;

  template <class... V>
  explicit access(const Place& place, V&&... arguments) : place_(place), arguments_(std::forward<V>(arguments)...) {}
  access(const access&) = delete;
  access& operator=(const access&) = delete;
  [[gnu::always_inline]] ~access() {
    if (suspended_) [[unlikely]]
      end_slow();
  }

  [[gnu::always_inline]] bool await_ready() {
    T* value = value_at_once<T, Operation>(this_space(), place_);
    if (value == nullptr) [[unlikely]]
      return false;
    if constexpr (calls_program<Operation>) {
      // Who awaits it cannot know where it is done, and gets what it would get from another PE.
      try {
        do_at_once(*value);
      } catch (...) {
        std::rethrow_exception(remote::answered_exception());
      }
    } else {
      do_at_once(*value);
    }
    return true;
  }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    suspend(task, where);
  }
  void suspend(ready_item who, std::source_location where) {
    std::construct_at(&slow_, place_, std::move(arguments_));
    suspended_ = true;
    slow_.answer().suspend(who, where);
    slow_.begin();
  }
  [[gnu::always_inline]] R await_resume() {
    if (suspended_) [[unlikely]]
      return slow_.answer().await_resume();
    if constexpr (!std::is_void_v<R>) return std::move(done_.value);
  }

 private:
  [[gnu::always_inline]] void do_at_once(T& value) {
    auto with = [&](A&... a) -> decltype(auto) { return Operation::run(value, std::move(a)...); };
    if constexpr (std::is_void_v<R>) {
      std::apply(with, arguments_);
    } else {
      done_.set(std::apply(with, arguments_));
    }
  }
  [[gnu::noinline]] void end_slow() { std::destroy_at(&slow_); }

  Place place_;
  [[no_unique_address]] std::tuple<A...> arguments_;
  bool suspended_ = false;
  [[no_unique_address]] result_at_once<R> done_;
  union {
    slow_access<T, Place, Operation, A...> slow_;  // if suspended_
  };
};

}  // namespace tsubu::data
