// What is rewritten: by what the analysis has proven, or, before it has run, all that might be.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include "eulash/analysis/sharing.hpp"
#include "eulash/profile/run_profile.hpp"

namespace eulash {

class decisions {
 public:
  // Nothing is proven yet.
  decisions() = default;
  // `recorded`: of an earlier run, or null.
  decisions(const facts& f, const shared_objects& proven, const run_profile* recorded)
      : f_(&f), proven_(&proven), recorded_(recorded) {}

  // Whether a variable with static storage is reached by its address in shared memory.
  bool is_shared(const parsed& p, const clang::VarDecl* variable) const;
  // Whether each thread has one of its own.
  static bool is_own(const clang::VarDecl* variable) { return variable->getTLSKind() != clang::VarDecl::TLS_None; }
  bool leads_to_private(const parsed& p, const clang::Expr* pointer) const;
  // Whether what the pointer leads to may be a part of the variable.
  bool may_lead_to(const parsed& p, const clang::Expr* pointer, const clang::VarDecl* variable) const;
  // Null: not known.
  const object_facts* site(const parsed& p, const clang::CallExpr* allocation) const;
  bool allocates_private(const parsed& p, const clang::CallExpr* allocation) const;
  // How what is declared or allocated there is kept, as the C header names it.
  std::string_view protocol(const place& at) const;
  // Whether the program has the text of a function.
  bool is_defined(const parsed& p, const clang::FunctionDecl* function) const;
  bool is_proven() const { return proven_ != nullptr; }

 private:
  const facts* f_ = nullptr;
  const shared_objects* proven_ = nullptr;
  const run_profile* recorded_ = nullptr;
};

}  // namespace eulash
