// Reads the statements of one file into facts.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <optional>

#include "eulash/analysis/facts.hpp"
#include "eulash/analysis/library.hpp"

namespace eulash {

class collector {
 public:
  collector(const parsed& p, facts& to) : p_(p), f_(to) {}

  void add_function(const clang::FunctionDecl* function);
  void add_variable(const clang::VarDecl* variable);

 private:
  // Memory that an lvalue names, as facts: a variable's, or where a value points.
  struct located {
    object direct = -1;
    value pointer = 0;
  };

  void statement(const clang::Stmt* s);
  void declare(const clang::VarDecl* variable);
  void sizes(clang::QualType type);

  value value_of(const clang::Expr* e);
  value value_of_operator(const clang::BinaryOperator* e);
  value value_of_unary(const clang::UnaryOperator* e);
  value value_of_cast(const clang::CastExpr* e);
  value value_of_call(const clang::CallExpr* e);
  value value_of_atomic(const clang::AtomicExpr* e);
  value joined(value a, value b);
  located locate(const clang::Expr* lvalue);
  value pointer_value(const clang::Expr* pointer);
  value address(const located& l);
  value read(const located& l, const clang::Expr* at);
  void write(const located& l, value v, const clang::Expr* at);
  void access(const located& l, bool writes, const clang::Expr* at);

  // Calls of what the program has no text of.
  value call_library(const library_function& callee, const clang::CallExpr* e, const std::vector<value>& arguments);
  std::optional<value> call_builtin(const std::string& name, const clang::CallExpr* e,
                                    const std::vector<value>& arguments);
  value call_threads(const std::string& name, const clang::CallExpr* e, const std::vector<value>& arguments);
  bool prints_addresses(const clang::Expr* format) const;
  void apply(std::string_view word, const clang::CallExpr* e, const std::vector<value>& arguments);
  value allocate(const clang::CallExpr* e);

  object object_of(const clang::VarDecl* variable);
  int function_of(const clang::FunctionDecl* function);

  const parsed& p_;
  facts& f_;
  int function_ = 0;
  std::string assigned_to_;  // the name of what the value that is read is for
};

}  // namespace eulash
