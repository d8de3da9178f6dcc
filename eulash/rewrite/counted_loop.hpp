// Loops that count.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <optional>

#include "eulash/rewrite/parts.hpp"

namespace eulash {

// for (j = first; j < end; j++), j a local variable that nothing else changes.
struct counted_loop {
  const clang::ForStmt* loop = nullptr;
  const clang::VarDecl* counter = nullptr;
  const clang::Expr *first = nullptr, *end = nullptr;
  bool declares = false;   // the counter, in its first clause
  bool inclusive = false;  // j <= end
};
std::optional<counted_loop> counted(const clang::Stmt* s);
// Whether it counts a few rounds only, a number that stands there, and nothing else changes its counter.
bool is_short(const rewriting& r, const clang::Stmt* s);

// The variable that an expression names, or null.
const clang::VarDecl* variable_of(const clang::Expr* e);

}  // namespace eulash
