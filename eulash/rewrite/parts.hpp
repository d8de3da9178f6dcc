// The parts of the rewriting, each of which looks at one kind of construct.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <string>
#include <vector>

#include "eulash/rewrite/decisions.hpp"
#include "eulash/rewrite/editor.hpp"

namespace eulash {

class held_functions;

struct rewriting {
  const parsed& p;
  const decisions& d;
  editor& to;
  std::vector<refusal>& refused;
  held_functions& held;

  void refuse(clang::SourceLocation at, std::string what, std::string why, std::string instead) const {
    refused.push_back({p.place_of(at), std::move(what), std::move(why), std::move(instead)});
  }
};

// Whether an access to what the lvalue names is wrapped.
bool is_wrapped(const rewriting& r, const clang::Expr* lvalue);

// accesses.cpp: loads, assignments, increments. `discarded`: nobody looks at the value.
void rewrite_access(const rewriting& r, const clang::Expr* e, bool discarded);
// globals.cpp: uses of a shared variable, and the declaration of one.
void rewrite_name(const rewriting& r, const clang::DeclRefExpr* name);
// By which a thread names what it has its own of.
std::string own_name(const clang::VarDecl* variable);
void rewrite_declaration(const rewriting& r, const clang::VarDecl* variable);
// calls.cpp: functions of the library's.
void rewrite_call(const rewriting& r, const clang::CallExpr* call);
void rewrite_function_name(const rewriting& r, const clang::DeclRefExpr* name, bool is_called);
// loops.cpp: where a process looks for messages.
void rewrite_loop(const rewriting& r, const clang::Stmt* loop);
// runs.cpp: loops over shared memory that is held while they run.
void rewrite_runs(const rewriting& r, const clang::Stmt* loop, const clang::Stmt* function);

}  // namespace eulash
