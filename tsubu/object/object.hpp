// A concurrent object: state, and methods that run one at a time.
//
//   struct counter : object<counter> {
//     long n = 0;
//     void add(long k) { n += k; }
//     task<long> when_even() { ... co_await ...; co_return n; }
//   };
//   ref<counter> c = create<counter>(at(2));
//
// A method may be a plain function, which runs on the spot; or a coroutine, which may wait. Until it has ended, its
// object takes no other message, also while it waits, but those that it accepts and those for reentrant methods. An
// object is dormant, active, or waiting (ABCL/1: Yonezawa 1990). docs/object.md has the whole of it.
#pragma once

#include "tsubu/object/accept.hpp"
#include "tsubu/object/move.hpp"
#include "tsubu/object/packets.hpp"
#include "tsubu/object/ref.hpp"
#include "tsubu/object/reports.hpp"

namespace tsubu {

// Local; accept() blocks its method until a message was taken; a method's exception is its caller's, as
// remote_error.
template <class T>
class object : public objects::object_base {
 protected:
  [[gnu::always_inline]] object() {}
  ~object() = default;

  // The name of this object; in a class D that is derived from T, self<D>() is a ref<D>.
  template <class D = T>
  ref<D> self() const {
    static_assert(std::derived_from<D, T>, "an object's name is that of its own class, or of one derived from it");
    return ref<D>(objects::this_space().identity_of(*this));
  }

  // It ends when the method has ended that runs now. Who asked it meanwhile, or asks later, gets object_gone.
  void retire() { tsubu_header.set(header::ending); }

  // It moves to another PE when the method, or constructor, has ended that runs now, before it takes another message;
  // called again, the last PE counts. The class needs a default constructor and a cereal serialize(): std::logic_error
  // where one that is derived has only inherited that. In a method of `serve`, it moves when that has returned.
  void move_to(pe_id pe) {
    static_assert(objects::may_move<T>, "an object that moves needs a default constructor and a cereal serialize()");
    objects::leave_after_method(*this, pe);
  }

  // `int which = co_await accept<&T::put, &T::get>();`, in a coroutine method: waits until a message for one of these
  // methods has been taken, the first that came, and has been executed; says which. The message is executed as if this
  // method were a call around it, so the state should be in order. Other messages keep waiting.
  template <auto... M>
  auto accept() {
    return accepting<std::tuple<objects::any_message<M>...>, M...>(objects::accept_wait::takes_up_to::one, {});
  }
  // With a guard for each: bool(const arguments&...), or bool(). It is asked when a message comes, and for those that
  // have come, when accept() is awaited.
  template <auto... M, class... G>
    requires(sizeof...(G) == sizeof...(M) && sizeof...(G) > 0)
  auto accept(G... guards) {
    return accepting<std::tuple<G...>, M...>(objects::accept_wait::takes_up_to::one,
                                             std::tuple<G...>(std::move(guards)...));
  }

  // `co_await serve<&T::put, &T::get>(guards...);`, with or without guards: as accept() in a loop for ever, but its
  // method does not run in between. Returns when the object is to end: when retire() was called, or end() for it.
  template <auto... M, class... G>
    requires(sizeof...(G) == sizeof...(M))
  auto serve(G... guards) {
    return accepting<std::tuple<G...>, M...>(objects::accept_wait::takes_up_to::all,
                                             std::tuple<G...>(std::move(guards)...));
  }
  template <auto... M>
  auto serve() {
    return accepting<std::tuple<objects::any_message<M>...>, M...>(objects::accept_wait::takes_up_to::all, {});
  }

 private:
  template <class Guards, auto... M>
  auto accepting(objects::accept_wait::takes_up_to how_many, Guards guards) {
    return objects::accepting<T, Guards, M...>(*this, how_many, std::move(guards));
  }
};

namespace objects {

template <class T>
object_type describe_type() {
  object_type type{typeid(T).name()};
  if constexpr (object_class<T> && !std::is_abstract_v<T>) {
    type.destroy = [](object_base& o) { delete_pooled(static_cast<T*>(&o)); };
    if constexpr (movable<T>) type.send = &send_state<T>;
    if constexpr (std::is_polymorphic_v<T>) type.throw_address = [](object_base& o) { throw static_cast<T*>(&o); };
    if constexpr (collected_class<T>) {
      type.show = &T::template tsubu_show<T>;
      type.bytes = sizeof(T);
    }
  }
  if constexpr (names_derived<T>) {
    type.part_of = [](const object_type& whole, object_base& o) -> void* {
      try {
        whole.throw_address(o);
      } catch (T* part) {
        return part;
      } catch (const void*) {
      }
      return nullptr;
    };
  }
  return type;
}

template <class D>
bool object_base::tsubu_is() {
  return this_space().is_of(*this, type_number<D>);
}

}  // namespace objects
}  // namespace tsubu
