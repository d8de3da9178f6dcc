// Values: the empty message, arrays, copies for messages, text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "abcl/runtime/arithmetic.hpp"
#include "abcl/runtime/digits.hpp"
#include "abcl/runtime/keep.hpp"
#include "abcl/runtime/name.hpp"
#include "abcl/runtime/site.hpp"
#include "tsubu/wire/value.hpp"

namespace abcl {

// [] as a value. A message or tuple [T1 T2] is a std::tuple<T1, T2>.
struct none {
  bool operator==(const none&) const = default;
};

// Stands for the value of what has none: control does not come back from it, or it is a reply, !v, after which the
// clause goes on with what a variable without a first value holds.
struct nothing {
  template <class T>
  operator T() const {  // NOLINT(google-explicit-constructor): it fits everywhere
    return T();
  }
};

// Shared by reference inside one object; what is sent is a copy, see copied().
template <class T>
class array {
  // std::vector<bool> has no references.
  using element = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;
  static constexpr std::uint64_t most_elements = std::uint64_t{1} << 36;  // as on the register machine

 public:
  array() = default;
  array(integer size, const T& first, const site& at) {
    if (size < 0) [[unlikely]]
      fail(at, "an array of " + std::to_string(size) + " elements");
    try {
      if (static_cast<std::uint64_t>(size) > most_elements) throw std::bad_alloc();
      elements_ = std::make_shared<std::vector<element>>(static_cast<std::size_t>(size), first);
    } catch (const std::bad_alloc&) {
      fail(at, "no memory for an array of " + std::to_string(size) + " elements");
    }
  }

  // An array that takes over these elements.
  static array of(std::vector<element> elements) {
    array made;
    made.elements_ = std::make_shared<std::vector<element>>(std::move(elements));
    return made;
  }

  element& at(integer i, const site& place) const {
    const std::size_t n = elements_ == nullptr ? 0 : elements_->size();
    if (static_cast<std::uint64_t>(i) >= n) [[unlikely]]
      fail(place, "index " + std::to_string(i) + " of an array of " + std::to_string(n));
    return (*elements_)[static_cast<std::size_t>(i)];
  }
  // A new array of the elements `from` to before `to`.
  array part(integer from, integer to, const site& place) const {
    require_part(from, to, place);
    array made;
    if (from == to) return made;
    try {
      made.elements_ = std::make_shared<std::vector<element>>(begin() + from, begin() + to);
    } catch (const std::bad_alloc&) {
      fail(place, "no memory for an array of " + std::to_string(to - from) + " elements");
    }
    return made;
  }
  // These elements become those of `values`, which has as many.
  void set_part(integer from, integer to, const array& values, const site& place) const {
    require_part(from, to, place);
    if (values.size() != to - from) [[unlikely]]
      fail(place, "an array of " + std::to_string(values.size()) + " for elements " + std::to_string(from) + " to " +
                      std::to_string(to));
    if (values.elements_ != elements_) std::copy(values.begin(), values.end(), begin() + from);
  }
  integer size() const { return elements_ == nullptr ? 0 : static_cast<integer>(elements_->size()); }
  // The elements, one behind the other.
  element* begin() const { return elements_ == nullptr ? nullptr : elements_->data(); }
  element* end() const { return begin() + size(); }
  // Copies the elements, too, where these are arrays.
  array copy() const;

  template <class Archive>
  void save(Archive& to) const {
    if constexpr (is_shown_names<Archive>) {
      show(to);
    } else {
      to(elements_ == nullptr ? std::vector<element>() : *elements_);
    }
  }
  template <class Archive>
  void load(Archive& from) {
    elements_ = std::make_shared<std::vector<element>>();
    from(*elements_);
  }

 private:
  void require_part(integer from, integer to, const site& place) const {
    if (from < 0 || to < from || to > size()) [[unlikely]]
      fail(place, "elements " + std::to_string(from) + " to " + std::to_string(to) + " of an array of " +
                      std::to_string(size()));
  }
  // What somebody else may have, too, is not counted as this object's; what is reached through it is, all the same.
  template <class Edges>
  void show(Edges& to) const {
    if (elements_ != nullptr && (!to.counts() || elements_.use_count() == 1)) to(*elements_);
  }

  std::shared_ptr<std::vector<element>> elements_;
};

// ---- a value as it goes into a message: nothing is done but for what has arrays in it

template <class T>
struct holds_arrays : std::false_type {};
template <class T>
struct holds_arrays<array<T>> : std::true_type {};
template <class... T>
struct holds_arrays<std::tuple<T...>> : std::disjunction<holds_arrays<T>...> {};

template <class V>
decltype(auto) copied(const V& value) {
  if constexpr (!holds_arrays<V>::value) {
    return (value);
  } else if constexpr (requires { value.copy(); }) {
    return value.copy();
  } else {
    return std::apply([](const auto&... element) { return V(copied(element)...); }, value);
  }
}

template <class T>
array<T> array<T>::copy() const {
  array made;
  if (elements_ == nullptr) return made;
  made.elements_ = std::make_shared<std::vector<element>>();
  made.elements_->reserve(elements_->size());
  for (const element& e : *elements_) made.elements_->push_back(copied(e));
  return made;
}

// ---- text, for print

inline void append_text(std::string& to, none) { to += "[]"; }
// Its number is another one on the register machine.
inline void append_text(std::string& to, const name& value) {
  to +=
      value.is_nil() ? "nil" : (value.is_box() ? "destination on PE " : "object on PE ") + std::to_string(value.home());
}
template <class... T>
void append_text(std::string& to, const std::tuple<T...>& value) {
  to += '[';
  std::apply([&to](const auto&... v) { ((append_text(to, v), to += ' '), ...); }, value);
  if constexpr (sizeof...(T) != 0) to.pop_back();
  to += ']';
}
template <class T>
void append_text(std::string& to, const array<T>& value) {
  to += "(array of " + std::to_string(value.size()) + ')';
}

// (str a b ...)
template <class... V>
std::string text(const V&... values) {
  std::string all;
  (append_text(all, values), ...);
  return all;
}

// [to := (str to a b ...)], which costs what is added.
template <class... V>
void add_texts(std::string& to, const V&... values) {
  (append_text(to, values), ...);
}

// (length a)
template <class T>
integer length(const array<T>& a) {
  return a.size();
}
inline integer length(const std::string& text) { return static_cast<integer>(text.size()); }

}  // namespace abcl
