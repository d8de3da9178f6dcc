// Functions of the program's that a loop may call while it holds memory: in a copy of them, which is behind their text,
// they access what they are given the address of as it is.
//
// Such a function ends without anybody's help, and accesses shared memory by its parameters only, inside of what these
// point to: `p->at[k]` of `struct particle* p`. So who holds all of the particle may call it with where that lies.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <map>
#include <optional>
#include <set>
#include <string>

#include "eulash/rewrite/parts.hpp"

namespace eulash {

struct held_function {
  std::map<unsigned, bool> followed;         // parameters that it follows, by number; whether it writes there
  std::set<const clang::Type*> stored;       // of what it stores elsewhere than in its own variables
  std::set<const clang::CallExpr*> callees;  // others of these that it calls
};

class held_functions {
 public:
  // Null: what is called cannot be, there.
  const held_function* find(const rewriting& r, const clang::CallExpr* call);
  // The copy's name.
  static std::string name_of(const clang::FunctionDecl* f);
  // Puts the copy, and those that it calls, behind their texts.
  void add_copy(const rewriting& r, const clang::FunctionDecl* f);

 private:
  // Nothing: it cannot be called so. (None calls itself, since what a text calls is before it.)
  std::map<const clang::FunctionDecl*, std::optional<held_function>> known_;
  std::set<const clang::FunctionDecl*> copied_;
};

// Functions of numbers only, which the compiler knows.
bool is_arithmetic(const clang::CallExpr* call);
// Whether an index of the array cannot lead out of what has it as a member.
bool has_fixed_size(const rewriting& r, const clang::Expr* array);

}  // namespace eulash
