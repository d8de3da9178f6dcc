// A container as it is seen by who saves it and brings it back: elements as bytes, of which each has a home.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tsubu/containers/parts.hpp"
#include "tsubu/containers/saving/part_file.hpp"

namespace tsubu::containers {

// Where an element lies among those that were saved.
struct saved_place {
  std::size_t part, parts;  // the PE that had it, and of how many
  std::size_t at, all;      // among all elements, in the order of the PEs
};

// What this PE has of a container.
class kept_container {
 public:
  virtual ~kept_container() = default;
  // What its elements are, as it stands in the list of a saved state.
  virtual std::string type() const = 0;
  virtual std::size_t size_here() const = 0;
  virtual void write(part_writer& to) const = 0;
  // Reads one element. Throws wire::bad_bytes or cereal::Exception where it is none.
  virtual pe_id home(wire::reader& in, const saved_place& place) const = 0;
  // The next element comes here.
  virtual void insert(wire::reader& in) const = 0;
};
using kept_containers = std::vector<std::unique_ptr<kept_container>>;

// The bytes of an element. What belongs to a key is put behind it, and not as a pair: both may travel, and a pair of
// them need not.
template <class T>
struct element_bytes {
  static void put(part_writer& to, const T& element) { to.put(element); }
  static T take(wire::reader& in) { return wire::take<T>(in); }
};
template <class A, class B>
struct element_bytes<std::pair<A, B>> {
  static void put(part_writer& to, const std::pair<A, B>& element) {
    to.put(element.first);
    to.put(element.second);
  }
  static std::pair<A, B> take(wire::reader& in) {
    A first = wire::take<A>(in);
    return {std::move(first), wire::take<B>(in)};
  }
};

// A part that says what its elements are, gives them as a range, and takes them one by one.
template <class Part>
concept keepable = requires(Part& part, typename Part::element_type element) {
  Part::saved_as();
  part.elements();
  part.bring_back(std::move(element));
};

// Home gives the PE of an element: home(element, place).
template <keepable Part, class Home>
class kept_part final : public kept_container {
  using bytes = element_bytes<typename Part::element_type>;

 public:
  kept_part(number which, Home home) : which_(which), home_(std::move(home)) {}

  std::string type() const override { return Part::saved_as(); }
  std::size_t size_here() const override { return part_here<Part>(which_).size(); }
  void write(part_writer& to) const override {
    for (const auto& element : part_here<Part>(which_).elements()) {
      bytes::put(to, element);
      to.end_element();
    }
  }
  pe_id home(wire::reader& in, const saved_place& place) const override { return home_(bytes::take(in), place); }
  void insert(wire::reader& in) const override { part_here<Part>(which_).bring_back(bytes::take(in)); }

 private:
  number which_;
  Home home_;
};

template <class Part, class Home>
std::unique_ptr<kept_container> make_kept(number which, Home home) {
  return std::make_unique<kept_part<Part, Home>>(which, std::move(home));
}
template <class... C>
kept_containers kept_of(const C&... containers) {
  kept_containers all;
  (all.push_back(containers.kept()), ...);
  return all;
}

}  // namespace tsubu::containers
