// Reads the statements of one file into facts.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include "eulash/analysis/facts.hpp"
#include "eulash/analysis/library_calls.hpp"
#include "eulash/analysis/recorder.hpp"

namespace eulash {

class collector {
 public:
  collector(const parsed& p, facts& to) : p_(p), f_(to) {}

  void add_function(const clang::FunctionDecl* function);
  void add_variable(const clang::VarDecl* variable);

 private:
  void statement(const clang::Stmt* s);
  void declare(const clang::VarDecl* variable);
  void sizes(clang::QualType type);

  value value_of(const clang::Expr* e);
  value value_of_operator(const clang::BinaryOperator* e);
  value value_of_unary(const clang::UnaryOperator* e);
  value value_of_cast(const clang::CastExpr* e);
  value value_of_call(const clang::CallExpr* e);
  value value_of_atomic(const clang::AtomicExpr* e);
  located locate(const clang::Expr* lvalue);
  value pointer_value(const clang::Expr* pointer);

  object object_of(const clang::VarDecl* variable);
  int function_of(const clang::FunctionDecl* function);

  const parsed& p_;
  facts& f_;
  recorder to_{p_, f_};
  library_calls library_{p_, f_, to_};
};

}  // namespace eulash
