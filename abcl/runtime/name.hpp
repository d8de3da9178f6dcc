// What a program holds of an object or of a reply destination: one type for both.
//
// By subtyping an object can be given wherever a reply destination is wanted, also inside tuples and in messages, so
// both are of one kind, of 12 bytes. A name is that of an object, or of a *box*, where somebody waits for replies: then
// the highest bit of its word is set, which no object's is in jobs of less than 2^19 PEs. What class an object has is
// not in its name: the compiler knows it, or sends by an interface.
//
//   object  creator (20 bits)  generation (12)  number (32)        home
//   box     1  many  slot (30)                  generation (32)    home
//
// Where names keep their objects (keep.hpp) it counts at its object besides, in 12 bytes more: not that of a box, nor
// of a class of C++ that is not collected.
#pragma once

#include <cstdint>
#include <string>

#include "abcl/runtime/keep.hpp"
#include "tsubu/object/ref.hpp"

namespace abcl {

class name {
 public:
  using identity = tsubu::objects::identity;

  // nil: names nobody. As a reply destination: replies are dropped.
  constexpr name() = default;
  template <class T>
    requires(!tsubu::objects::collected_class<T>)
  name(const tsubu::ref<T>& object) : id_(object.id()) {}  // NOLINT(google-explicit-constructor): it is one
#ifdef ABCL_COLLECTS
  template <class T>
  name(const tsubu::strong_ref<T>& object)  // NOLINT(google-explicit-constructor): it is one
      : hold_(object.tsubu_hold()), id_(object.weak().id()) {}
#endif
  static name box(tsubu::pe_id home, std::uint32_t slot, std::uint32_t generation, bool many) {
    return name(identity(home, is_a_box | (many ? takes_many : 0) | std::uint64_t{slot} << 32 | generation));
  }
  bool operator==(const name& other) const { return id_ == other.id_; }

  bool is_nil() const { return id_.home == tsubu::no_pe; }
  bool is_box() const { return static_cast<std::int64_t>(id_.word()) < 0; }
  tsubu::pe_id home() const { return id_.home; }
  const identity& id() const { return id_; }

  // An object's name, for messages of class T, or an interface, it is sent.
  template <class T>
  tsubu::ref<T> as() const {
    hold_.touch();
    return tsubu::ref<T>(id_);
  }
  // What a box's name tells.
  bool many() const { return (id_.word() & takes_many) != 0; }
  std::uint32_t slot() const { return static_cast<std::uint32_t>(id_.word() >> 32) & most_slot; }
  std::uint32_t generation() const { return static_cast<std::uint32_t>(id_.word()); }

  static constexpr std::uint32_t most_slot = (std::uint32_t{1} << 30) - 1;

  std::string text() const {
    if (is_nil()) return "nil";
    const std::string on = " on PE " + std::to_string(home());
    if (is_box()) return "destination " + std::to_string(slot()) + on;
    return "object " + std::to_string(id_.creator()) + '.' + std::to_string(id_.number()) + on;
  }

#ifdef ABCL_COLLECTS
  template <class A>
  void save(A& out) const {
    if constexpr (is_shown_names<A>) {
      out.saw(hold_);
    } else {
      out(id_.word(), id_.home, tsubu::collection::written(hold_).shaded);
    }
  }
  template <class A>
  void load(A& in) {
    std::uint64_t word = 0;
    tsubu::pe_id home = tsubu::no_pe;
    std::uint32_t shaded = 0;
    in(word, home, shaded);
    id_ = identity(home, word);
    hold_ = is_nil() || is_box() ? hold() : tsubu::collection::came({id_, shaded});
  }
#endif

 private:
  explicit name(const identity& id) : id_(id) {}
  static constexpr std::uint64_t is_a_box = std::uint64_t{1} << 63;
  static constexpr std::uint64_t takes_many = std::uint64_t{1} << 62;

  [[no_unique_address]] hold hold_;
  identity id_;
};
#ifdef ABCL_COLLECTS
static_assert(sizeof(name) == 24);
#else
static_assert(sizeof(name) == 12 && tsubu::wire::plain<name>);
#endif

}  // namespace abcl
