// A concurrent object that ends when nobody can reach it any more, cycles across PEs included:
//
//   struct node : collected_object<node> {
//     strong_ref<node> next, before;
//     template <class A> void serialize(A& a) { a(next, before); }
//   };
//
// create<node>() gives a strong_ref<node>. What it holds of strong_refs, its serialize() shows: what is not shown is
// kept for as long as the object lives itself, and so is a cycle through it. serialize() is called between any two
// steps of the PE, also while a method of the object waits. docs/collection.md has what is promised.
#pragma once

#include "tsubu/collection/edges.hpp"
#include "tsubu/collection/strong_ref.hpp"

namespace tsubu {

// Local; as object<T>.
template <class T>
class collected_object : public object<T> {
 public:
  // The runtime's.
  using tsubu_is_collected = void;
  template <class D>
  using tsubu_name = strong_ref<D>;
  template <class D>
  static void tsubu_show(objects::object_base& o, objects::edges& to) {
    if constexpr (cereal::traits::is_output_serializable<D, objects::edges>::value && objects::tells_own_state<D>())
      to(static_cast<D&>(o));
  }
  template <class D>
  strong_ref<D> tsubu_strong() {
    return strong_self<D>();
  }

 protected:
  collected_object() {
    collection::held_names& names = *collection::names_held;
    names.colour(*this);
    names.pace.made();
  }
  ~collected_object() = default;

  // The name of this object, which keeps it alive; in a class D that is derived from T, strong_self<D>().
  template <class D = T>
  strong_ref<D> strong_self() const {
    const ref<D> me = this->template self<D>();
    collection::held_names& names = *collection::names_held;
    // One that has been made or marked in this cycle is not to be marked again: a look would find that somebody wants
    // it.
    if (names.marking() && !names.is_white(*this)) names.count_as_shaded(names.of(me.id()));
    return strong_ref<D>::of_running(me);
  }
};

// A strong_ref to the object of that name, or an empty one if it has ended. Asks the object, behind the method that it
// runs.
// Local; blocks until the object has answered; throws nothing.
template <class T>
task<strong_ref<T>> strong(ref<T> name) {
  static_assert(objects::collected_class<T>, "only objects of a class that is collected have strong_refs");
  strong_ref<T> found;
  try {
    found = co_await name.template now<&T::template tsubu_strong<T>>();
  } catch (const object_gone&) {
  }
  co_return found;
}

template <class T>
template <class A>
void strong_ref<T>::save(A& out) const {
  if constexpr (std::is_same_v<A, objects::edges>) {
    out.saw(hold_);
  } else {
    const collection::travelling_name n = collection::written(hold_);
    out(n.id.word(), n.id.home, n.shaded);
  }
}

template <class T>
template <class A>
void strong_ref<T>::load(A& in) {
  std::uint64_t word = 0;
  pe_id home = no_pe;
  std::uint32_t shaded = 0;
  in(word, home, shaded);
  hold_ = collection::came({objects::identity(home, word), shaded});
  ref_ = hold_.at() != nullptr ? ref<T>(hold_.at()->id) : ref<T>();
}

}  // namespace tsubu
