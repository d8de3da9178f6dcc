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
#include "tsubu/object/deliver.hpp"
#include "tsubu/object/reply_to.hpp"
#include "tsubu/object/space.hpp"

namespace tsubu {

template <class T>
class ref;

// What a now or future sender gets whose object has ended, or could not be made.
class object_gone : public std::runtime_error {
 public:
  explicit object_gone(const std::string& what) : std::runtime_error(what) {}
};

enum class object_mode : std::uint8_t { dormant, active, waiting };

struct object_status {
  object_mode mode;      // active: it has something to run
  std::uint32_t queued;  // messages
  pe_id pe;              // where it lives
};

namespace objects {
template <class T>
concept movable = std::is_default_constructible_v<T> && wire::serializable<T>;
}  // namespace objects

template <class T>
class object : public objects::object_base {
 public:
  // ---- the runtime's own messages
  void tsubu_end() { retire(); }
  void tsubu_move(reply_to<pe_id> done, pe_id to) { objects::here().leave_for(*this, to, std::move(done)); }
  object_status tsubu_status() { return objects::here().status_of(*this); }

 protected:
  [[gnu::always_inline]] object() {}
  ~object() = default;

  // The name of this object.
  ref<T> self() const;

  // It ends when the method has ended that runs now. Who asked it meanwhile, or asks later, gets object_gone.
  void retire() { tsubu_header.set(header::ending); }

  // `int which = co_await accept<&T::put, &T::get>();`, in a coroutine method: waits until a message for one of these
  // methods has been taken, the first that came, and has been executed; says which. The message is executed as if this
  // method were a call around it, so the state should be in order. Other messages keep waiting.
  template <auto... M>
  auto accept() {
    return objects::accepting<T, std::tuple<objects::any_message<M>...>, M...>(*this, {});
  }
  // With a guard for each: bool(const arguments&...), or bool(). It is asked when a message comes, and for those that
  // have come, when accept() is awaited.
  template <auto... M, class... G>
    requires(sizeof...(G) == sizeof...(M) && sizeof...(G) > 0)
  auto accept(G... guards) {
    return objects::accepting<T, std::tuple<G...>, M...>(*this, std::tuple<G...>(std::move(guards)...));
  }
};

namespace objects {

template <class T>
object_type describe_type() {
  object_type type{typeid(T).name(), [](object_base& o) { delete_pooled(static_cast<T*>(&o)); }, nullptr};
  if constexpr (movable<T>) {
    type.send = [](object_base& o, const identity& id, pe_id to, std::uint32_t stay, remote::reply_address done) {
      std::vector<std::byte> state;
      wire::writer out(state);
      out(static_cast<T&>(o));
      remote::send<arriving_object<T>>(to, id, stay, done, o.tsubu_header.is(object_base::header::may_roam), state);
    };
  }
  return type;
}

}  // namespace objects
}  // namespace tsubu
