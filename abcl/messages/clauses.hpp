// Which clause takes a message, and what it does with it.
#pragma once

#include <functional>
#include <vector>

#include "abcl/messages/context.hpp"

namespace abcl::messages {

// Messages are taken by one of the clauses, which is executed; then it goes on at `after` with `result` (its words, if
// there are any).
struct taking {
  const std::vector<clause>* clauses;
  bool of_script = false;
  const type* want = nullptr;
  values result;
  int after = -1;
};
// Goes to the first clause that fits the message in `box`; `no`: where none does.
void choose_clause(const context& at, const std::vector<const clause*>& clauses, value box, value kind, int no,
                   const std::function<void(const clause&)>& taken);
// The clause has the message: its names are bound, the box given back, its forms executed.
void execute(const context& outside, const clause& c, value box, const taking& t);

}  // namespace abcl::messages
