// Where an expression stands: what everything that writes its instructions is told of its surroundings. It is handed
// down, so that what holds inside of a form, as that it is part of a sync, ends with it.
#pragma once

#include "abcl/messages/variables.hpp"
#include "abcl/resolve/placement.hpp"

namespace abcl::messages {

// Where a reply goes: to the box or future of an object.
struct destination {
  value object = code::none, box = code::none;
  const type* of = nullptr;
  value replied = code::none;  // set to 1 by a reply, where some way through the clause has none
};

// The replies that clauses of `wait-for` around owe, the innermost first; null: none.
struct owed_replies {
  destination owed;
  const owed_replies* others = nullptr;
};

// What `break` leaves: it goes on at `after`, out of as many atomic forms, and clauses that owe a reply, as are more.
struct loop_around {
  int after = -1;
  int atomics = 0;
  const owed_replies* owed = nullptr;
};

struct context {
  tables& program;
  text_builder& out;
  variables& names;
  const creation_places& placed;

  const class_def* of_class = nullptr;  // null: in a function
  destination answer;                   // of the clause at hand: where `!` replies
  const owed_replies* owed = nullptr;   // by the clauses of `wait-for` around
  bool in_sync = false;                 // replies to other boxes may come
  int atomics = 0;                      // atomic forms around it, in its clause
  loop_around loop{};                   // the innermost one
};

}  // namespace abcl::messages
