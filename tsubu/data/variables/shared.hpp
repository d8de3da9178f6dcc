// A shared variable: a value with a name that travels, which every PE reads and writes.
//
//   shared<long> best = create_shared(protocol::update, 0L);      // its home is this PE; the name is one word
//   long b = co_await best.read();                                // of a valid copy: no message, no wait
//   co_await best.write(7);
//   long old = co_await best.change<exchange>(9L);                // long exchange(long& value, long by)
//   long next = co_await best.change([](long& value, long by) { return value += by; }, 2L);
//   best.add<reduce::max>(12);                                    // past: in place at the end of the epoch
//   co_await best.set_protocol(protocol::mobile);                 // at any time
//
// Each variable is linearizable for read, write and change, under every protocol and while that changes: each takes
// place at one moment between its call and its return, on all PEs. Different protocols give the same results with
// different traffic (protocol.hpp). What is put or added takes place between the call and the end of the epoch; the
// PE's own accesses after it find it done. docs/data.md has the argument, the costs, and when to use what.
#pragma once

#include <source_location>
#include <utility>

#include "tsubu/data/variables/control.hpp"
#include "tsubu/data/variables/past_access.hpp"
#include "tsubu/remote/collectives/reduce.hpp"
#include "tsubu/remote/messages/send_as.hpp"
#include "tsubu/remote/messages/sent.hpp"

namespace tsubu {

namespace data {

// The place of a variable by itself.
template <class T>
struct variable_place {
  key of;

  key name() const { return of; }
  pe_id home() const { return of.home(); }
  bool is_here(const data_space& s) const { return of.home() == s.me; }
  T* value_to_read(data_space& s) const {
    directory_entry* entry = typed(s);
    return entry != nullptr && entry->try_read_at_home() ? &value_of<T>(*entry) : nullptr;
  }
  T* value_to_write(data_space& s) const {
    directory_entry* entry = typed(s);
    return entry != nullptr && entry->try_write_at_home() ? &value_of<T>(*entry) : nullptr;
  }
  directory_entry* entry_here(data_space& s) const { return typed(s); }
  static constexpr bool has_nothing_here(const data_space&) { return false; }
  // Variables by themselves are few, so a PE that adds to one is likely to do so again.
  bool merges_adds(const data_space&) const { return true; }

 private:
  directory_entry* typed(data_space& s) const {
    directory_entry* const entry = s.variables.find(of);
    if (entry != nullptr && entry->type != &value_type_of<T>) [[unlikely]]
      data_space::refuse_type(*entry, value_type_of<T>, s.me);
    return entry;
  }
};

template <class T, class Operation, class A>
pe_id send_past(data_space&, const variable_place<T>& place, const A& argument) {
  remote::send<past_access<T, Operation, A>>(place.home(), place.name(), argument);
  return place.home();
}

// What a program does to a variable or an element of an array.
// Local; what is awaited blocks unless the value may be used here at once, put() and add() do not; of a variable
// that has ended what is awaited throws variable_ended, and put() and add() give it to on_past_exception() of the home.
template <class T, class Place>
class shared_access {
 public:
  // Its value. Awaited.
  auto read() const { return access<T, Place, reading>(place()); }
  // Awaited: then every PE reads it.
  auto write(T value) const { return access<T, Place, writing, T>(place(), std::move(value)); }
  // Awaited: what F(value, arguments...) gives. F is a plain function, R F(T&, A...), which does not wait; it runs
  // once, on the PE where the value is. What it throws is thrown here, as a remote_error and, if its type is
  // registered, as that: the same wherever the value is (remote_error.hpp).
  template <auto F, class... A>
  auto change(A&&... arguments) const {
    using p = parameters_of<decltype(F)>;
    static_assert(std::is_same_v<typename p::value, T>,
                  "the first parameter of the function is not the variable's type");
    static_assert(p::changes_in_place, "the function must take the value by reference: R f(T& value, ...)");
    static_assert(sizeof...(A) == p::arity, "the number of arguments is not that of the function's parameters");
    static_assert(!remote::signature_of<decltype(F)>::is_task, "a function that changes a shared variable cannot wait");
    return change_with<F>(typename p::template apply<carried_arguments>(), std::forward<A>(arguments)...);
  }

  // The same of a lambda, R (T&, A...), whose captures travel with it.
  template <class L, class... A>
  auto change(const L& lambda, A... arguments) const {
    static_assert(std::is_class_v<L>, "change takes a lambda, or a function by its name: x.change<f>(2)");
    static_assert(
        remote::travelling_lambda<L>,
        "only a lambda whose captures are trivially copyable can be sent: pass what owns memory as an argument");
    static_assert(std::is_invocable_v<L&, T&, A...>,
                  "the lambda cannot be called with the value and these arguments: it takes a T&, and them");
    static_assert((wire::sendable<A> && ...),
                  "an argument cannot travel: pointers and views mean nothing on another PE");
    static_assert(!remote::awaited<std::invoke_result_t<L&, T&, A...>>::is_task,
                  "a lambda that changes a shared variable cannot wait");
    return access<T, Place, changing_by<L>, remote::sent_closure<L>, A...>(place(), remote::sent_closure<L>(lambda),
                                                                           std::move(arguments)...);
  }

  // Past. `co_await` it to be held back by a full network.
  [[gnu::always_inline]] remote::sent put(T value) const {
    return remote::sent(access_past<T, writing>(place(), std::move(value)));
  }
  // Past: the value becomes Op(value, by), Op a function or a function object.
  template <auto Op = reduce::plus>
  [[gnu::always_inline]] remote::sent add(T by) const {
    static_assert(std::is_invocable_r_v<T, decltype(Op), T, T>, "add<op>() makes the value op(value, by)");
    return remote::sent(access_past<T, combining<Op>>(place(), std::move(by)));
  }

  // The value, if this PE can read it now without a message; else null. Until the calling task next waits, or writes
  // it.
  const T* copy() const { return value_at_once<T, reading>(this_space(), place()); }

  // Awaited: from then on it has that protocol.
  auto set_protocol(protocol p) const {
    this_space().adds.send_if_kept(place().name());
    return change_protocol(place(), p);
  }

  // The PE where it was made.
  pe_id home() const { return place().home(); }

 protected:
  explicit shared_access(const Place& place) : place_(place) {}
  shared_access() = default;
  const Place& place() const { return place_; }

 private:
  template <class... A>
  struct carried_arguments {};
  template <auto F, class... P, class... A>
  auto change_with(carried_arguments<P...>, A&&... arguments) const {
    static_assert((wire::sendable<P> && ...),
                  "a parameter cannot travel: pointers and views mean nothing on another PE");
    return access<T, Place, changing<F>, P...>(place(), static_cast<P>(std::forward<A>(arguments))...);
  }

  Place place_;
};

}  // namespace data

// The name of a shared variable. It travels, as its bytes.
// Local; end() blocks until the home has answered; as its base says.
template <class T>
class shared : public data::shared_access<T, data::variable_place<T>> {
  static_assert(!wire::lacks_default<T>::value,
                "the value has no default constructor: what comes of it is read into one that is made by default");
  static_assert(
      wire::sendable<T> || wire::lacks_default<T>::value,
      "a shared variable holds a value that can travel: pointers and views do not, nor a type without serialize()");
  using base = data::shared_access<T, data::variable_place<T>>;

 public:
  shared() = default;
  explicit shared(data::key name) : base(data::variable_place<T>{name}) {}

  // Awaited: ends it, after all accesses that came before. Later ones find that it has ended.
  auto end() const {
    data::this_space().adds.send_if_kept(name());
    return data::end_variable(this->place());
  }

  // One word that names it in the whole job.
  data::key name() const { return this->place().name(); }
  bool operator==(const shared& other) const { return name() == other.name(); }
};

// A variable whose home is this PE. Local; returns at once. Profiles know it by the place of the call.
// Local; does not block; throws what the constructors of T do.
template <class T>
shared<T> create_shared(protocol how, T initial = T(), std::source_location where = std::source_location::current()) {
  auto& s = data::this_space();
  const data::key name = s.variables.next_name(s.me);
  auto* made = new_pooled<data::variable_entry<T>>(name, data::value_type_of<T>, protocol::global, std::move(initial));
  s.declare(*made, how, where);
  s.variables.add(*made);
  return shared<T>(name);
}

}  // namespace tsubu
