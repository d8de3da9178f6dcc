// What stands where in a checked program: for a place in the text, the name there, what it means, and where else it is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abcl/check/tree.hpp"

namespace abcl {

// A variable, a class, a function, a name of a type, or a message of a class.
struct symbol {
  std::string name;             // as it is written
  std::string about;            // its type, signature or interface, in the language's own notation
  span defined;                 // its name there
  std::vector<span> used;       // elsewhere; for a message: the clauses that take it and the sends
  bool may_be_renamed = false;  // tags are part of types, which are structural
};

class index {
 public:
  explicit index(const program& p);

  const std::vector<symbol>& symbols() const { return symbols_; }
  // The symbol whose name stands at `offset`, or ends there; null if there is none.
  const symbol* at(std::uint32_t offset) const;
  // The function of the library whose name stands at `offset`; null if there is none.
  const library_function* library_at(std::uint32_t offset) const;
  // The type of the innermost expression around `offset`; null if there is none.
  const type* type_at(std::uint32_t offset) const;
  // A type in the language's own notation, with a line for each name in it: what that stands for.
  static std::string told(const type* t);

 private:
  void add_messages(const class_def& c);

  const program& of_;
  std::vector<symbol> symbols_;
};

}  // namespace abcl
