// `co_await why_alive(name)`: what keeps an object of a collected class alive, as a path to it from a root.
//
// It is found by a collection, in which each object remembers who has first led to it; as any other, that ends what
// cannot be reached, and calls that come while one runs wait for the next.
#pragma once

#include <string>
#include <vector>

#include "tsubu/collection/collected_object.hpp"

namespace tsubu {

// One of the path: it has a strong_ref to the next.
struct holder {
  std::string what;  // "entry 0.7 on PE 2", with its class and home; or what kind of root
  pe_id pe = no_pe;  // where it is
  template <class A>
  void serialize(A& a) {
    a(what, pe);
  }
};

namespace collection {
// Has a cycle find it.
task<std::vector<holder>> find_path(objects::identity to);
// On PE 0, behind a cycle that has kept causes.
task<std::vector<holder>> path_to(objects::identity id);
}  // namespace collection

// From a root to the object itself, which is the last; empty if it has ended. One of the shortest ways on each PE, but
// not of all.
// Local; blocks for a collection and a message for each that is on the path; throws nothing.
template <class T>
task<std::vector<holder>> why_alive(ref<T> name) {
  static_assert(objects::collected_class<T>, "only objects of a class that is collected end by themselves");
  return collection::find_path(name.id());
}

}  // namespace tsubu
