// What a function evaluates: the walk over its expressions, and which memory an expression names.
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <functional>

namespace eulash {

// Calls `visit` for each statement and expression, the outer before the inner, but for what is not evaluated, as in
// sizeof, and what is a constant, as the first value of a static variable.
void walk(const clang::Stmt* from, const std::function<void(const clang::Stmt*)>& visit);

// Calls `visit` for each size in a type that is an expression: of arrays of variable length, and behind pointers to
// them.
void sizes_in(clang::QualType type, const std::function<void(const clang::Expr*)>& visit);

// The memory that an lvalue names: in a variable, where a pointer leads, or in a value that has no name.
struct memory {
  const clang::VarDecl* variable = nullptr;
  const clang::Expr* pointer = nullptr;
};
memory memory_of(const clang::Expr* lvalue);

// The array of `a[i]` or `*a` if the pointer there is an array's, else null.
const clang::Expr* array_of(const clang::Expr* pointer);

}  // namespace eulash
