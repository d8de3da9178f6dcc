// How an object comes to be: its name is claimed, its memory taken, its constructor run.
//
// A constructor may send its object messages, and may create others; so the name stands in the table before it runs,
// and what the next object begins with is handed over in a variable. What it throws goes to on_past_exception(), and
// the object counts as ended.
#pragma once

#include "tsubu/base/pool.hpp"
#include "tsubu/object/space.hpp"

namespace tsubu::objects {

class construction {
 public:
  // Makes an object of class T with that name, whose home is here: T(arguments...). `as` is named if it throws.
  template <class T, bool roams, class... A>
  static void make(object_space& s, const identity& id, std::uint32_t type, const wire::handler_entry& as,
                   A&&... arguments) {
    construct<T, roams, true>(s, s.names.claim(id, type), id, as, std::forward<A>(arguments)...);
  }
  // The same, of an object that this PE creates here, under the next free name.
  template <class T, bool roams, class... A>
  [[gnu::always_inline]] static identity make_own(object_space& s, std::uint32_t type, const wire::handler_entry& as,
                                                  A&&... arguments) {
    if (!s.names.has_own_free()) [[unlikely]] {
      const identity id = s.names.name_for(s.me());
      make<T, roams>(s, id, type, as, std::forward<A>(arguments)...);
      return id;
    }
    const name_table::claimed name = s.names.claim_own(type);
    construct<T, roams, false>(s, name.at, name.id, as, std::forward<A>(arguments)...);
    return name.id;
  }

 private:
  // `known` if the name may have been sent messages already.
  template <class T, bool roams, bool known, class... A>
  [[gnu::always_inline]] static void construct(object_space& s, name_table::slot& at, identity id,
                                               const wire::handler_entry& as, A&&... arguments) {
    if (object_base::next_newborn != 0) [[unlikely]]
      return construct_for_another<T, roams, known>(s, at, id, as, std::forward<A>(arguments)...);
    object_base::next_newborn = object_base::header::newborn(id.creator(), id.number());
    void* memory = nullptr;
    T* made = nullptr;
    try {
      memory = this_pool.allocate(sizeof(T));
      at.object = static_cast<T*>(memory);  // its constructor may send it messages
      made = new (memory) T(std::forward<A>(arguments)...);
    } catch (...) {
      // If it came so far, it has a name, and may have been sent messages.
      message_queue queue, reentrant;
      if (std::exchange(object_base::next_newborn, 0) == 0) {
        object_base& unmade = *static_cast<T*>(memory);
        queue = unmade.tsubu_header.queue;
        reentrant = s.runs.take_reentrant(unmade);
      }
      if (memory != nullptr) this_pool.free(memory, sizeof(T));
      s.failed_to_make(id, as, reentrant, queue);
      return;
    }
    s.count_made();
    if (this_task_group != nullptr) [[unlikely]]
      s.made_in_epoch(id);
    if constexpr (roams) made->tsubu_header.set(object_base::header::may_roam);
    if constexpr (known) s.take_early(*made, id);
    s.method_ended_of<T>(*made);
  }
  // The same, while the arguments for the constructor of another are made, whose name stands ready.
  template <class T, bool roams, bool known, class... A>
  [[gnu::noinline, gnu::cold]] static void construct_for_another(object_space& s, name_table::slot& at, identity id,
                                                                 const wire::handler_entry& as, A&&... arguments) {
    const std::uint64_t other = std::exchange(object_base::next_newborn, 0);
    construct<T, roams, known>(s, at, id, as, std::forward<A>(arguments)...);
    object_base::next_newborn = other;
  }
};

}  // namespace tsubu::objects
