// An innermost loop that counts: what it writes, what does not change while it runs, and which memory it walks through.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <set>
#include <string>
#include <vector>

#include "eulash/rewrite/counted_loop.hpp"

namespace eulash {

// An access to memory that may be shared: at the same place each time, at one that moves with the counter, or anywhere.
struct walked_access {
  const clang::Expr* lvalue = nullptr;
  const clang::Expr* base = nullptr;  // the pointer, or array, of the subscript with the counter; null: the place stays
  bool writes = false;
  bool conditional = false;            // not done in each round
  const clang::Expr* whole = nullptr;  // the load or store; null: a function is called with the address
  // The subscript with the counter, if all that it names is held, since what follows it in there may change.
  const clang::Expr* element = nullptr;
  bool anywhere = false;  // asked for each time
};

class loop_facts {
 public:
  loop_facts(const rewriting& r, const counted_loop& l, const clang::Stmt* function);

  // Whether each access is one of these, and nothing in the loop waits, jumps into it or hides what it does. If some
  // are anywhere, which may wait, nothing that is written is held.
  bool is_plain() const { return plain_; }
  const std::vector<walked_access>& accesses() const { return accesses_; }
  bool may_wait() const { return may_wait_; }
  // All are of functions that may be called while memory is held.
  const std::vector<const clang::CallExpr*>& calls() const { return calls_; }
  // Whether a break may end it before its counter does.
  bool has_break() const { return has_break_; }
  // Whether it has the same value in each round, and can be evaluated before; `conditional`: it must not follow
  // pointers, nor divide.
  bool is_invariant(const clang::Expr* e, bool conditional) const;

 private:
  void look_at(const clang::Stmt* s, bool conditional);
  void look_at_access(const clang::Expr* whole, const clang::Expr* lvalue, bool writes, bool conditional);
  void look_at_declarations(const clang::DeclStmt* declared);
  bool look_at_call(const clang::CallExpr* call, bool conditional);
  bool look_at_address(const clang::Expr* argument, bool writes, bool conditional);
  bool stays(walked_access& a) const;
  void sort_accesses();
  void note_store(const clang::Expr* lvalue);
  // `variable`: that is loaded, or null.
  bool may_be_stored(clang::QualType loaded, const clang::VarDecl* variable) const;
  bool uses_counter(const clang::Expr* e) const;
  const clang::Expr* base_of(const clang::Expr* lvalue) const;

  const rewriting& r_;
  const counted_loop& l_;
  bool plain_ = true, leaves_early_ = false, has_break_ = false, may_wait_ = false;
  std::set<const clang::VarDecl*> changed_, declared_, addressed_;
  struct store {  // elsewhere than in variables by name
    const clang::Type* type;
    const clang::Expr* pointer;  // null: not known
  };
  std::vector<store> stored_;
  std::vector<walked_access> accesses_;
  std::vector<const clang::CallExpr*> calls_;
};

}  // namespace eulash
