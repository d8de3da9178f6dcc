// An innermost loop that counts: what it writes, what does not change while it runs, and which memory it walks through.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

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

// An access to memory that may be shared: at the same place each time, or at one that moves with the counter.
struct walked_access {
  const clang::Expr* lvalue = nullptr;
  const clang::Expr* base = nullptr;  // the pointer, or array, of the subscript with the counter; null: the place stays
  bool writes = false;
  bool conditional = false;  // not done in each round
};

class loop_facts {
 public:
  loop_facts(const rewriting& r, const counted_loop& l, const clang::Stmt* function);

  // Whether each access is one of these, and nothing in the loop waits, calls, jumps into it or hides what it does.
  bool is_plain() const { return plain_; }
  const std::vector<walked_access>& accesses() const { return accesses_; }
  // Whether it has the same value in each round, and can be evaluated before; `conditional`: it must not follow
  // pointers.
  bool is_invariant(const clang::Expr* e, bool conditional) const;

 private:
  void look_at(const clang::Stmt* s, bool conditional);
  void look_at_access(const clang::Expr* lvalue, bool writes, bool conditional);
  bool stays(const walked_access& a) const;
  void note_store(const clang::Expr* lvalue);
  bool may_be_stored(clang::QualType loaded) const;
  bool uses_counter(const clang::Expr* e) const;
  const clang::Expr* base_of(const clang::Expr* lvalue) const;

  const rewriting& r_;
  const counted_loop& l_;
  bool plain_ = true, leaves_early_ = false;
  std::set<const clang::VarDecl*> changed_, declared_, addressed_;
  std::set<const clang::Type*> stored_;  // of what is stored elsewhere than in variables by name
  std::vector<walked_access> accesses_;
};

}  // namespace eulash
