// From a name, or from an object's header, to what a ref<T> names: an object of class T, or of one derived from it.
#pragma once

#include "tsubu/object/space.hpp"

namespace tsubu::objects {

template <class T>
object_type describe_type();
template <class T>
inline const std::uint32_t type_number = register_type(describe_type<T>());

// The object of that name, if this is its home, it lives here, and a ref<T> may name it. Where T has no virtual
// methods, or is final, there are no others than those of class T.
template <class T>
[[gnu::always_inline]] inline object_base* find_object(object_space& s, const identity& id) {
  object_base* const o = s.names.find(id, type_number<T>);
  if constexpr (names_derived<T>) {
    if (o == nullptr) return s.find_derived(id, type_number<T>);
  }
  return o;
}

// The same for a message.
inline object_base* find_object(object_space& s, const identity& id, const method_info& of) {
  object_base* const o = s.names.find(id, *of.type);
  return o == nullptr && of.names_derived ? s.find_derived(id, *of.type) : o;
}

// What of an object, which a ref<T> may name, is of the class that has the method.
template <class T, class Owner>
[[gnu::always_inline]] inline Owner& part_with_method(object_space& s, object_base& o) {
  if constexpr (std::is_same_v<Owner, object_base>) {
    return o;
  } else if constexpr (std::derived_from<T, object_base>) {
    return static_cast<Owner&>(static_cast<T&>(o));
  } else {
    return static_cast<Owner&>(*static_cast<T*>(s.part_of(o, type_number<T>)));
  }
}

}  // namespace tsubu::objects
