// The name of an object that lives as long as somebody who can be reached has one: in a frame, a variable, a container,
// a message on its way, or another such object that is reached.
//
//   strong_ref<node> n = create<node>(at(2));      // node derives from collected_object<node>
//   n->past<&node::link>(other);                   // messages as from a ref<node>
//   ref<node> name = n.weak();                     // a name that does not keep it alive
//   strong_ref<node> again = co_await strong(name);    // empty, if it is no more
//
// It travels as an argument or a result, within any value, and belongs to the PE where it is. 24 bytes.
#pragma once

#include "tsubu/collection/held_names.hpp"
#include "tsubu/object/object.hpp"

namespace tsubu {

namespace collection {

// As it travels: the name, and whether who sends it has seen to it that the object is marked.
struct travelling_name {
  objects::identity id;
  std::uint32_t shaded = 0;  // 0: no; else 1 more than the lowest bit of the cycle's number
};
travelling_name written(const hold& h);
// What has come, which is shaded when it is moved to its place, if it has not been. Throws wire::bad_bytes if no PE of
// this job has sent it.
hold came(const travelling_name& n);

}  // namespace collection

// Local; copying and dropping it sends nothing. What ref<T> promises of messages holds for those by `->`, and while one
// is on its way the object is not collected.
template <class T>
class strong_ref {
 public:
  // Names nobody.
  strong_ref() = default;
  // The same object, whose class D is derived from T; as ref<T>.
  template <class D>
    requires(!std::is_same_v<D, T> && std::is_convertible_v<D*, T*>)
  strong_ref(const strong_ref<D>& derived)  // NOLINT(google-explicit-constructor): as a pointer does
      : hold_(derived.tsubu_hold()), ref_(ref<D>(derived.weak())) {}
  strong_ref(const strong_ref&) = default;
  strong_ref& operator=(const strong_ref&) = default;
  strong_ref(strong_ref&& other) noexcept : hold_(std::move(other.hold_)), ref_(std::exchange(other.ref_, ref<T>())) {}
  strong_ref& operator=(strong_ref&& other) noexcept {
    if (this == &other) return *this;
    hold_ = std::move(other.hold_);
    ref_ = std::exchange(other.ref_, ref<T>());
    return *this;
  }
  ~strong_ref() = default;

  explicit operator bool() const { return static_cast<bool>(ref_); }
  bool operator==(const strong_ref& other) const { return ref_ == other.ref_; }

  // The PE where it was created.
  pe_id pe() const { return ref_.pe(); }
  // The object's name, which does not keep it.
  ref<T> weak() const { return ref_; }
  // For messages to it.
  const ref<T>* operator->() const {
    hold_.touch();
    return &ref_;
  }
  // Names nobody from now on.
  void reset() { *this = strong_ref(); }

  template <class A>
  void save(A& out) const;
  template <class A>
  void load(A& in);

  // The runtime's. An object that has been created just now, or runs.
  static strong_ref of_new(ref<T> r) {
    collection::held_names& names = *collection::names_held;
    collection::stub& s = names.of(r.id());
    if (names.marking()) names.count_as_shaded(s);
    s.only_here = r.pe() == this_pe();
    return strong_ref(collection::hold(s), r);
  }
  static strong_ref of_running(ref<T> r) {
    strong_ref made(collection::hold(collection::names_held->of(r.id())), r);
    made.hold_.touch();
    return made;
  }
  const collection::hold& tsubu_hold() const { return hold_; }

 private:
  strong_ref(collection::hold h, ref<T> r) : hold_(std::move(h)), ref_(r) {}

  [[no_unique_address]] collection::hold hold_;
  ref<T> ref_;
};
static_assert(sizeof(strong_ref<int>) == 24);

}  // namespace tsubu

template <class T>
struct std::hash<tsubu::strong_ref<T>> {
  std::size_t operator()(const tsubu::strong_ref<T>& r) const { return std::hash<tsubu::ref<T>>()(r.weak()); }
};
