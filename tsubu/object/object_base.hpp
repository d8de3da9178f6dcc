// What the runtime keeps in front of a concurrent object's own state: 24 bytes.
#pragma once

#include <bit>
#include <concepts>
#include <cstring>
#include <type_traits>

#include "tsubu/object/message.hpp"

static_assert(std::endian::native == std::endian::little);

namespace tsubu {
template <class R>
class reply_to;
struct object_status;
}  // namespace tsubu

namespace tsubu::remote {
template <class L>
struct sent_closure;
}  // namespace tsubu::remote

namespace tsubu::objects {

class accept_wait;
class edges;

class object_base {
 public:
  object_base(const object_base&) = delete;
  object_base& operator=(const object_base&) = delete;

  // The runtime's. One member, so that a class of the program's own meets one name only.
  struct header {
    // 0: dormant, with no message.
    enum bits : std::uint32_t {
      busy = 1,        // a method has begun and not ended
      queued = 2,      // messages wait
      runnable = 4,    // among those that have something to run
      waiting = 8,     // the method waits
      accepting = 16,  // ... for one of some messages
      serving = 32,    // a message that was accepted is being executed
      ending = 64,     // after the method
      leaving = 128,   // after the method, to another PE
      may_roam = 256,  // the runtime may move it while it is dormant
      guest = 512,     // it has come from elsewhere
      entered = 1024,  // reentrant methods of it wait
      watched = 2048,  // somebody is to be told of its end
      asked = 4096,    // messages for reentrant methods of it wait, elsewhere than in its queue
      held = 8192,     // no message begins or is accepted, but for reentrant methods
      colour = 16384,  // of a class that is collected: see collection/held_names.hpp
      frozen = 32768,  // busy, and no message begins: the collector has not decided yet
      lasting = may_roam | guest | entered | watched | colour,
    };
    // Each in bytes of its own: a load of more than was just stored has to wait for the cache.
    std::uint16_t state;
    std::uint16_t creator_low;
    std::uint32_t number_and_creator;
    message_queue queue;
    accept_wait* accepts = nullptr;  // the innermost

    bool dormant() const { return (state & ~lasting) == 0; }
    pe_id creator() const { return static_cast<pe_id>(creator_low | (number_and_creator >> 28) << 16); }
    std::uint32_t number() const { return number_and_creator & identity::most_number; }
    void set_name(pe_id creator, std::uint32_t number) {
      creator_low = static_cast<std::uint16_t>(creator);
      number_and_creator = number | static_cast<std::uint32_t>(creator) >> 16 << 28;
    }
    // The bytes before `queue` of an object that is being made.
    static constexpr std::uint64_t newborn(pe_id creator, std::uint32_t number) {
      const auto by = static_cast<std::uint64_t>(static_cast<std::uint32_t>(creator));
      return busy | (by & 0xffff) << 16 | std::uint64_t{number} << 32 | by >> 16 << 60;
    }
    bool is(std::uint32_t any_of) const { return (state & any_of) != 0; }
    void set(std::uint32_t b) { state = static_cast<std::uint16_t>(state | b); }
    void clear(std::uint32_t b) { state = static_cast<std::uint16_t>(state & ~b); }
  };
  header tsubu_header;

  // ---- the runtime's own messages, to objects of every class
  void tsubu_end() { tsubu_header.set(header::ending); }
  void tsubu_move(reply_to<pe_id> done, pe_id to);
  object_status tsubu_status();
  void tsubu_watch(reply_to<void> told, pe_id pe, std::uint64_t number);
  void tsubu_unwatch(pe_id pe, std::uint64_t number);
  // Whether it is a D, or of a class that is derived from D.
  template <class D>
  bool tsubu_is();
  // Calls a lambda that was sent to a ref<T> with this object; tsubu_await where it is a coroutine.
  template <class T, class L, class... A>
  std::invoke_result_t<L&, T&, A...> tsubu_call(remote::sent_closure<L> closure, A... values);
  template <class T, class L, class... A>
  std::invoke_result_t<L&, T&, A...> tsubu_await(remote::sent_closure<L> closure, A... values);

 protected:
  [[gnu::always_inline]] object_base() {
    const std::uint64_t name = std::exchange(next_newborn, 0);
    if (name != 0) [[likely]] {
      std::memcpy(static_cast<void*>(&tsubu_header), &name, sizeof name);
    } else {
      made_elsewhere(*this);
    }
  }
  struct unregistered {};
  explicit object_base(unregistered) : tsubu_header{} {}
  ~object_base() = default;

 private:
  friend class construction;
  // Not by create(): it arrives from another PE, or a program makes it, which is an error.
  [[gnu::cold]] static void made_elsewhere(object_base& o);
  // What the next object that is made begins with; 0 if that is not by create().
  static inline thread_local constinit std::uint64_t next_newborn = 0;
};
static_assert(sizeof(object_base) == 24);

// A class of objects: one that derives from object_base, once and not virtually.
template <class T>
concept object_class = std::derived_from<T, object_base> && requires(object_base& o) { static_cast<T&>(o); };

// A class whose objects end when nobody can reach them any more: collection/collected_object.hpp.
template <class T>
concept collected_class = requires { typename T::tsubu_is_collected; };

// A ref<T> may name an object of a class that is derived from T, which may be no class of objects itself (an
// interface).
template <class T>
inline constexpr bool names_derived = std::is_polymorphic_v<T> && !std::is_final_v<T>;

// What is known of a class of objects, or of an interface, which has the first and the last only.
struct object_type {
  const char* name;                         // mangled
  void (*destroy)(object_base&) = nullptr;  // and frees it
  // Its state, to a PE where it lives then; null if it cannot be moved.
  void (*send)(object_base&, const identity&, pe_id to, std::uint32_t stay, remote::reply_address done) = nullptr;
  // Throws the address of an object of this class, as a pointer to it; null if it has no virtual methods.
  void (*throw_address)(object_base&) = nullptr;
  // What of an object of class `whole` is of this class; null if that is not derived from it.
  void* (*part_of)(const object_type& whole, object_base&) = nullptr;
  // Shows the strong_refs that it holds; null if the class is not collected.
  void (*show)(object_base&, edges&) = nullptr;
  std::size_t bytes = 0;  // of an object; 0 if the class is not collected
};
// The number of a class in this process; before main().
std::uint32_t register_type(const object_type& type);
// One more than the highest of them.
std::uint32_t type_count();
inline constinit const object_type* type_table = nullptr;
inline const object_type& type_of_number(std::uint32_t number) { return type_table[number]; }
std::string class_name(std::uint32_t number);
// "counter 3.17 on PE 2": the class, its creator, its number and its home.
std::string name_text(const identity& id, std::uint32_t type);

}  // namespace tsubu::objects
