// Which objects a value may point to: inclusions between values (Andersen's analysis), without regard to the order of
// statements, and with one value for all that an object holds.
#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace eulash {

// A value of the program, or all values that an expression can have. 0 is one that points to nothing.
using value = int;
// Memory: a variable, what an allocation site allocates, a function.
using object = int;

class graph {
 public:
  graph() { fresh(); }

  value fresh();
  // A new object; what it holds is a value of its own.
  object make_object();
  value held_by(object o) const { return held_[static_cast<std::size_t>(o)]; }

  void point(value to, object o);
  void copy(value from, value to);
  void load(value pointer, value to);
  void store(value pointer, value stored);
  // What `from` points to is copied into what `to` points to.
  void copy_contents(value from, value to);

  // Goes on until nothing changes any more.
  void solve();
  // What is stored where pointers lead of which nothing is known.
  std::vector<value> stored_nowhere() const;
  const std::set<object>& objects(value v) const { return points_to_[static_cast<std::size_t>(v)]; }

 private:
  struct through {
    value pointer, other;
  };
  bool include(value from, value to);

  std::vector<std::set<object>> points_to_;
  std::vector<value> held_;
  std::set<std::pair<value, value>> copies_;
  std::vector<through> loads_, stores_;
};

}  // namespace eulash
