// An access at its home, and the message that brings it there, with its arguments; and the answer that it sends.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "tsubu/data/variables/operations.hpp"
#include "tsubu/data/variables/packets.hpp"
#include "tsubu/remote/messages/answer.hpp"

namespace tsubu::data {

// Slots of a past access, which nobody awaits: its PE gets no message when it is done; or `completed` or `granted`,
// since it has something of the variable.
inline constexpr std::uint32_t no_answer = ~std::uint32_t{0}, completion_only = no_answer - 1;

// What comes back to the PE of an access that keeps nothing, or keeps the value. Each gives the result to who awaits it
// and then installs what was granted (packets.hpp). A task that is woken so runs only when the message is done: it is
// put into the queue of its PE, and finds the copy in place.
//
// Only the first is a reply of the machine's own protocols (sim/protocol.cpp), whose packets have one word; the others
// bring a value, as any message.
template <class R>
struct answer_only {
  using layout = wire::layout<std::uint32_t, std::uint32_t, key, remote::carried<R>>;
  static constexpr message_kind kind = message_kind::reply;
  static constexpr std::size_t words = 1;
  static void call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, key name,
                   remote::carried<R> result);
};
template <class T, class R>
struct answer_and_value {
  using layout = wire::layout<std::uint32_t, std::uint32_t, key, grant, remote::carried<R>, T>;
  static void call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, key name, grant kept,
                   remote::carried<R> result, T value);
};
// The result of a read is the value.
template <class T>
struct value_read {
  using layout = wire::layout<std::uint32_t, std::uint32_t, key, grant, T>;
  static void call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, key name, grant kept,
                   T value);
};
// It threw.
struct answer_failed {
  using layout = wire::layout<std::uint32_t, std::uint32_t, key, remote::error_report>;
  static void call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, key name,
                   const remote::error_report& report);
};

// The error of an access: to whoever awaits it, as exceptions arrive, on this PE too; a past one ends the job, as a
// past message that throws does.
void answer_error_being_handled(remote::reply_address to, key name);
// That the variable has ended.
void answer_ended(remote::reply_address to, key name, const std::type_info& type);

template <class T, class Operation, class... A>
class access_request final : public request {
 public:
  using R = result_of<T, Operation, A...>;
  static constexpr bool reads = std::is_same_v<Operation, reading>;

  access_request(remote::reply_address to, A&&... arguments)
      : request(Operation::writes ? kind::write : kind::read, to.pe), to_(to), arguments_(std::move(arguments)...) {}

  void run(directory_entry& entry) override {
    data_space::seen(entry, from(), Operation::writes ? 0 : 1, Operation::writes ? 1 : 0);
    T& value = value_of<T>(entry);
    auto with = [&](A&... arguments) -> decltype(auto) { return Operation::run(value, std::move(arguments)...); };
    try {
      if constexpr (reads) {
        answer(entry, value, remote::done{});
      } else if constexpr (std::is_void_v<R>) {
        std::apply(with, arguments_);
        answer(entry, value, remote::done{});
      } else {
        R result = std::apply(with, arguments_);
        answer(entry, value, std::move(result));
      }
    } catch (...) {
      home::conclude(entry, *this, false);
      answer_error_being_handled(to_, entry.name);
    }
    data_space::reconsider(entry);
  }
  void refuse(key name) override { answer_ended(to_, name, typeid(T)); }
  void discard() override { delete_pooled(this); }

 private:
  template <class V>
  void answer(directory_entry& entry, const T& value, V result) {
    const grant kept = home::conclude(entry, *this, to_.slot != no_answer);
    if (to_.slot == no_answer) return;
    if (to_.slot == completion_only) {
      if (kept == grant::nothing) return remote::send<completed>(to_.pe, entry.name);
      return remote::send<granted<T>>(to_.pe, entry.name, kept, value);
    }
    if (to_.pe == this_pe()) {
      auto* sink = remote::take_sink<R>(to_.pe, to_.slot, to_.generation);
      if (sink == nullptr) return;
      if constexpr (reads) {
        sink->value(T(value));
      } else {
        sink->value(std::move(result));
      }
    } else if constexpr (reads) {
      remote::send<value_read<T>>(to_.pe, to_.slot, to_.generation, entry.name, kept, value);
    } else if (kept == grant::nothing) {
      remote::send<answer_only<R>>(to_.pe, to_.slot, to_.generation, entry.name, result);
    } else {
      remote::send<answer_and_value<T, R>>(to_.pe, to_.slot, to_.generation, entry.name, kept, result, value);
    }
  }

  remote::reply_address to_;
  std::tuple<A...> arguments_;
};

// Does it now, or lets it wait its turn.
template <class T, class Operation, class... A>
[[gnu::always_inline]] inline void do_at_home(directory_entry& entry, remote::reply_address to, A&&... arguments) {
  access_request<T, Operation, A...> now(to, std::move(arguments)...);
  if (home::can_run(entry, now)) [[likely]] {
    home::accept(entry, now);
    now.run(entry);
  } else {
    home::admit(entry, *new_pooled<access_request<T, Operation, A...>>(std::move(now)));
  }
}

// The message that brings an access home.
template <class T, class Operation, class... A>
struct access_message {
  using layout = wire::layout<std::uint32_t, std::uint32_t, key, A...>;
  static void call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, key name, A... arguments) {
    data_space& s = this_space();
    const remote::reply_address to{d.from, slot, generation};
    directory_entry* entry = s.find(name, value_type_of<T>, d.from);
    if (entry == nullptr) [[unlikely]]
      return answer_ended(to, name, typeid(T));
    do_at_home<T, Operation, A...>(*entry, to, std::move(arguments)...);
    s.done_with(name);
  }
};

// A past one of a PE that has nothing of the variable.
template <class T, class Operation, class... A>
struct past_access {
  using layout = wire::layout<key, A...>;
  static void call(const message::delivery& d, key name, A... arguments) {
    data_space& s = this_space();
    const remote::reply_address to{d.from, no_answer, 0};
    directory_entry* entry = s.find(name, value_type_of<T>, d.from);
    if (entry == nullptr) [[unlikely]]
      return answer_ended(to, name, typeid(T));
    do_at_home<T, Operation, A...>(*entry, to, std::move(arguments)...);
    s.done_with(name);
  }
};

template <class R>
void answer_only<R>::call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, key name,
                          remote::carried<R> result) {
  auto* sink = remote::take_sink<R>(d.from, slot, generation);
  if (sink != nullptr) sink->value(std::move(result));
  completed::call(d, name);
}

template <class T, class R>
void answer_and_value<T, R>::call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, key name,
                                  grant kept, remote::carried<R> result, T value) {
  auto* sink = remote::take_sink<R>(d.from, slot, generation);
  if (sink != nullptr) sink->value(std::move(result));
  granted<T>::call(d, name, kept, std::move(value));
}

template <class T>
void value_read<T>::call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, key name, grant kept,
                         T value) {
  auto* sink = remote::take_sink<T>(d.from, slot, generation);
  if (sink != nullptr) sink->value(T(value));
  if (kept == grant::nothing) return completed::call(d, name);
  granted<T>::call(d, name, kept, std::move(value));
}

}  // namespace tsubu::data
