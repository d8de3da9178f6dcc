// Clauses: which one takes a message, and what its names stand for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "abcl/check/nodes.hpp"
#include "abcl/cpp/function_scope.hpp"

namespace abcl::cpp {

// The first clause that fits `values` is run; `otherwise` if none does.
void chain(function_scope& in, const std::vector<const clause*>& clauses, const std::vector<cpp_value>& values,
           const std::function<void(const clause&)>& run, const std::string& otherwise);

// Who waits for a reply that has not come is told.
void clause_ends(function_scope& in, const clause& c);

// What an object accepts at a place.
class accepted_messages {
 public:
  // One for which there are these clauses: its entries, with a guard that asks whether one of the clauses takes it.
  void add(function_scope& in, const method& m, const std::vector<const clause*>& clauses);
  std::size_t entries() const { return entries_; }
  std::string awaited(function_scope& in, const tree::cases& by) const;

 private:
  std::string pointers_, guards_;
  std::size_t entries_ = 0;
};

}  // namespace abcl::cpp
