// Where objects are created for which the program names no node: the k-th `new` of a clause, outside of loops, on the
// k-th neighbour of its node, in a circle; in loops by turns. Both back ends write down what is decided here.
#pragma once

#include <optional>
#include <unordered_map>

#include "abcl/check/tree.hpp"

namespace abcl {

class creation_places {
 public:
  // So many neighbours take part.
  static constexpr int neighbours = 2;

  creation_places() = default;  // of what creates nothing
  explicit creation_places(const class_def& c) { add(c); }

  void add(const class_def& c);

  // The number of the neighbour, from 0; nothing: by turns. Only where no node is named.
  std::optional<int> neighbour_of(const tree::create& e) const;

 private:
  // Returns how many have been created when `e` is done, of which there were `before`.
  int count(const expression& e, int before, bool in_loop);
  int count(const expressions& body, int before);

  std::unordered_map<const tree::create*, int> neighbour_;  // of those outside of loops
};

}  // namespace abcl
