// An expression of a checked program: where it stands, the type of its value, and what kind it is. What else it has
// depends on the kind: abcl/check/nodes.hpp.
#pragma once

#include <cassert>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "abcl/text/source.hpp"
#include "abcl/types/type.hpp"

namespace abcl {

struct variable {
  enum class kind { creation_argument, state, argument, local, counter, pattern, box };
  kind what = kind::local;
  std::string_view name;
  const type* of = nullptr;  // of a box: of the value that is put there
  span where;
  std::vector<span> uses;     // where it is read
  std::vector<span> changes;  // where it is assigned to

  // Whether [x := ...] may name it: what a loop counts and what a pattern has taken may not.
  bool may_be_assigned() const { return what == kind::state || what == kind::local || what == kind::creation_argument; }
};

enum class op {
  // values
  integer,
  real,
  text,
  boolean,
  nil,
  me,
  use,
  message,
  // messages
  past,
  now,
  future,
  reply,
  create,
  destination,
  // waiting
  sync,
  sync2,
  sync_all,
  wait_for,
  touch,
  next_value,
  is_ready,
  make_future,
  // control
  sequence,
  choose,
  loop,
  count,
  leave_loop,
  let,
  match,
  script,
  call,
  library,
  exit,
  suicide,
  non_resume,
  atomic,
  // the rest
  assign,
  make_array,
  element,
  subarray,
  length,
  is_null,
  my_node,
  node_count,
  print,
  expect,
  compute,
};

class expression;
using expression_ptr = std::unique_ptr<expression>;
using expressions = std::vector<expression_ptr>;

class expression {
 public:
  using visitor = std::function<void(const expression&)>;

  op what = op::nil;
  span where;
  const type* of = nullptr;

  expression() = default;
  expression(const expression&) = delete;
  expression& operator=(const expression&) = delete;
  virtual ~expression() = default;

  // Calls `f` with each expression that stands in it, in the order of the source.
  virtual void each_part(const visitor& /*f*/) const {}
};

// The node that `e` is, whose kind the caller knows.
template <class Node>
const Node& as(const expression& e) {
  assert(Node::is(e.what));
  return static_cast<const Node&>(e);
}
// Null if it is of another kind.
template <class Node>
const Node* try_as(const expression& e) {
  return Node::is(e.what) ? static_cast<const Node*>(&e) : nullptr;
}

}  // namespace abcl
