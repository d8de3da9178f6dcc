// What the statements of a function do to values and memory, written down as facts.
#pragma once

#include <clang/AST/Expr.h>

#include <string>

#include "eulash/analysis/facts.hpp"

namespace eulash {

// Memory that an lvalue names, as facts: a variable's, or where a value points.
struct located {
  object direct = -1;
  value pointer = 0;
};

class recorder {
 public:
  recorder(const parsed& p, facts& to) : p_(p), f_(to) {}

  value joined(value a, value b);
  value address(const located& l);
  value read(const located& l, const clang::Expr* at);
  void write(const located& l, value v, const clang::Expr* at);
  void access(const located& l, bool writes, const clang::Expr* at);
  value allocate(const clang::CallExpr* e);

  int function = 0;         // whose statements these are
  std::string assigned_to;  // the name of what the value that is read is for

 private:
  const parsed& p_;
  facts& f_;
};

}  // namespace eulash
