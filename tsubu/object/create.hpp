// Creation: `ref<counter> c = create<counter>(at(2), 17);` returns at once, and nobody waits for it.
//
// Messages may be sent to the object from then on, by anybody who has been given its name: what comes before it is made
// waits for it. What its constructor throws goes to on_past_exception() of its PE, which by default ends the job; if it
// goes on, the object counts as one that has ended.
#pragma once

#include "tsubu/object/construct.hpp"
#include "tsubu/object/deferred_creations.hpp"
#include "tsubu/object/object.hpp"
#include "tsubu/object/placement.hpp"
#include "tsubu/object/ref.hpp"
#include "tsubu/remote/messages/at.hpp"

namespace tsubu {

namespace objects {

// As it travels: text becomes a string.
template <class A>
using creation_value = std::conditional_t<std::is_convertible_v<A, const char*>, std::string, std::decay_t<A>>;

template <class T>
constexpr void check_class() {
  static_assert(
      object_class<T>,
      "a class of concurrent objects derives from object<T>, or from another such class; once, not virtually");
  static_assert(!std::is_abstract_v<T>, "an abstract class has no objects: create one of a class derived from it");
}

// A packet has the number and the generation; `brief` ones, for the first million of a creator, in 4 bytes.
inline constexpr int brief_number_bits = 20;
template <class T, bool roams, bool brief, class... V>
struct create_object;
template <class T, bool roams, class... V>
struct create_object<T, roams, false, V...> {
  using layout = wire::layout<std::uint32_t, std::uint32_t, travelling_type<V>...>;
  static constexpr message_kind kind = message_kind::create;
  static constexpr std::size_t words = sizeof...(V);
  template <class... W>
  static void call(const message::delivery& d, std::uint32_t number, std::uint32_t generation, W... w) {
    object_space& s = this_space();
    if (generation > identity::most_generation) [[unlikely]]
      no_such_generation(d.from, generation);
    make(s, {s.me(), d.from, number, generation}, travelling<V>::in(w)...);
  }
  template <class... A>
  [[gnu::always_inline]] static void make(object_space& s, const identity& id, A&&... a) {
    construction::make<T, roams>(s, id, type_number<T>, message::registered<create_object>::entry,
                                 std::forward<A>(a)...);
  }
};
template <class T, bool roams, class... V>
struct create_object<T, roams, true, V...> {
  using layout = wire::layout<std::uint32_t, travelling_type<V>...>;
  static constexpr message_kind kind = message_kind::create;
  static constexpr std::size_t words = sizeof...(V);
  template <class... W>
  static void call(const message::delivery& d, std::uint32_t name, W... w) {
    object_space& s = this_space();
    const std::uint32_t number = name & ((std::uint32_t{1} << brief_number_bits) - 1);
    create_object<T, roams, false, V...>::make(s, {s.me(), d.from, number, name >> brief_number_bits},
                                               travelling<V>::in(w)...);
  }
};

// On another PE, or where a constructor more would be too much for this stack. Not inlined: then a creation here, which
// is the usual one, keeps fewer registers.
template <class T, bool roams, class... A>
[[gnu::noinline]] ref<T> create_by_message(object_space& s, pe_id home, A&&... a) {
  using handler = create_object<T, roams, false, creation_value<A>...>;
  using brief = create_object<T, roams, true, creation_value<A>...>;
  if (static_cast<std::uint32_t>(home) >= static_cast<std::uint32_t>(s.pes())) [[unlikely]]
    no_such_home(home);
  const identity id = s.names.name_for(home);
  // By its constructor an object may create the next one, and so on: on a deep stack the message is sent to the own PE.
  if (home == s.me()) s.names.expect(id);
  if (s.packet_names.use_short(id.number() >> brief_number_bits == 0)) [[likely]] {
    if constexpr (!roams && sizeof...(A) == 0) {
      if (s.creations().may_defer() && home != s.me()) [[likely]] {
        s.creations().defer(id, [](const identity& kept) {
          message::this_endpoint->send<brief>(kept.home, kept.number() | kept.generation() << brief_number_bits);
        });
        return ref<T>(id);
      }
    }
    remote::send<brief>(home, id.number() | id.generation() << brief_number_bits,
                        travelling<creation_value<A>>::out(static_cast<creation_value<A>>(std::forward<A>(a)))...);
  } else {
    remote::send<handler>(home, id.number(), id.generation(),
                          travelling<creation_value<A>>::out(static_cast<creation_value<A>>(std::forward<A>(a)))...);
  }
  return ref<T>(id);
}

template <class T, bool roams, class... A>
[[gnu::always_inline]] inline ref<T> create_on(object_space& s, pe_id home, A&&... a) {
  check_class<T>();
  static_assert(alignof(T) <= pool::granule, "a concurrent object is aligned to 16 bytes at most");
  static_assert(std::is_constructible_v<T, creation_value<A>...>, "the class has no constructor for these arguments");
  static_assert(!(wire::lacks_default<travelling_type<creation_value<A>>>::value || ...),
                "the type of an argument has no default constructor: what comes is read into a value made by default");
  static_assert(
      ((may_travel<creation_value<A>> || wire::lacks_default<travelling_type<creation_value<A>>>::value) && ...),
      "an argument of a constructor cannot travel: pointers and views mean nothing on another PE");
  if (home == s.me() && execution::has_stack()) [[likely]] {
    using handler = create_object<T, roams, false, creation_value<A>...>;
    return ref<T>(construction::make_own<T, roams>(s, type_number<T>, message::registered<handler>::entry,
                                                   static_cast<creation_value<A>>(std::forward<A>(a))...));
  }
  return create_by_message<T, roams>(s, home, std::forward<A>(a)...);
}

// What create<T>() gives: a ref<T>, or the name that the class wants its objects to be known by.
template <class T>
struct given_name {
  using type = ref<T>;
  static type of(ref<T> r) { return r; }
};
template <collected_class T>
struct given_name<T> {
  using type = typename T::template tsubu_name<T>;
  static type of(ref<T> r) { return type::of_new(r); }
};

// create<link>(...), where a function has the name of the class.
template <auto Function>
struct no_class {
  static_assert(sizeof(Function) == 0,
                "create<T> takes a class, and that is a function's name, of the system perhaps: create<struct T>(...)");
  using type = void;
};

}  // namespace objects

// A function has the name that was meant for a class.
// Local; never called, so it does not block; does not compile.
template <auto Function, class Destination, class... A>
auto create(Destination, A&&...) -> typename objects::no_class<Function>::type;

// An object on that PE: at(3), or here(). What is returned is a ref<T>; of a class that is collected, a strong_ref<T>.
// Local; does not block; a PE that is not there ends the job, and what the constructor throws goes to
// on_past_exception() there.
template <class T, class... A>
typename objects::given_name<T>::type create(pe_destination where, A&&... a) {
  return objects::given_name<T>::of(
      objects::create_on<T, false>(objects::this_space(), where.pe(), std::forward<A>(a)...));
}

// An object where the runtime, or the program's own function, wants it.
template <class T, class... A>
typename objects::given_name<T>::type create(anywhere where, A&&... a) {
  using given = objects::given_name<T>;
  objects::object_space& s = objects::this_space();
  if (!where.balances()) [[unlikely]]
    return given::of(objects::create_on<T, false>(s, where.choose(), std::forward<A>(a)...));
  constexpr bool roams = objects::movable<T>;
  return given::of(objects::create_on<T, roams>(s, s.keeps_new() ? s.me() : s.place_new(roams), std::forward<A>(a)...));
}

// This PE.
// Local; does not block; outside a job it ends the process.
[[gnu::always_inline]] inline pe_destination here() { return at(this_pe()); }

// A ref<D> of the same object, if that is of class D or of one derived from it; else it names nobody. Asks the object.
// Local; blocks until the object has answered; throws object_gone.
template <class D, class T>
task<ref<D>> ref_cast(ref<T> of) {
  static_assert(std::is_polymorphic_v<T>,
                "only what a ref of a class with virtual methods names may be of another class");
  const bool is = co_await of.template now<&objects::object_base::tsubu_is<D>>();
  co_return is ? ref<D>(of.id()) : ref<D>();
}

// Ends its object with itself, wherever that is, after the messages that were sent to it from here before. Move-only.
// Local; does not block; throws nothing.
template <class T>
class [[nodiscard]] owned_ref {
 public:
  owned_ref() = default;
  explicit owned_ref(ref<T> of) : of_(of) {}
  owned_ref(owned_ref&& other) noexcept : of_(std::exchange(other.of_, ref<T>())) {}
  template <class D>
    requires std::is_convertible_v<ref<D>, ref<T>>
  owned_ref(owned_ref<D>&& of) noexcept : of_(of.release()) {}  // NOLINT(google-explicit-constructor): as a ref
  owned_ref& operator=(owned_ref&& other) noexcept {
    if (this != &other) {
      reset();
      of_ = std::exchange(other.of_, ref<T>());
    }
    return *this;
  }
  ~owned_ref() { reset(); }

  // Its object's name; it goes on owning it.
  ref<T> get() const { return of_; }
  ref<T> operator*() const { return of_; }
  const ref<T>* operator->() const { return &of_; }
  explicit operator bool() const { return static_cast<bool>(of_); }

  // Lets it live without an owner.
  ref<T> release() { return std::exchange(of_, ref<T>()); }
  // Ends it now.
  void reset() noexcept {
    if (of_ && remote::current_pe != nullptr) of_.end();
    of_ = ref<T>();
  }

 private:
  ref<T> of_;
};

// As create(), for an object that ends with what is returned.
// Local; does not block; as create().
template <class T, class Destination, class... A>
owned_ref<T> create_owned(Destination where, A&&... a) {
  static_assert(!objects::collected_class<T>, "an object of a class that is collected has no owner: create<T>()");
  return owned_ref<T>(create<T>(where, std::forward<A>(a)...));
}

}  // namespace tsubu
