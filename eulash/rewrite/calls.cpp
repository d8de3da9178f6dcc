// Calls of the library's functions: by the name eulash_.. where they may meet shared memory, allocations with their
// sites.
#include <fmt/format.h>

#include <algorithm>

#include "eulash/analysis/library.hpp"
#include "eulash/rewrite/parts.hpp"

namespace eulash {
namespace {

using llvm::dyn_cast;

const library_function* known_function(const rewriting& r, const clang::FunctionDecl* function) {
  if (function == nullptr) return nullptr;
  // Headers of the system's have texts of some, for a compiler that optimises.
  const bool users = r.p.is_users(function->getLocation());
  if (users && (function->hasBody() || function->getBuiltinID() == 0)) return nullptr;
  return find_library_function(function->getNameAsString());
}

bool may_meet_shared(const rewriting& r, const clang::CallExpr* call) {
  return std::ranges::any_of(call->arguments(), [&](const clang::Expr* argument) {
    return argument->getType()->isPointerType() && !r.d.leads_to_private(r.p, argument) &&
           !argument->isNullPointerConstant(r.p.ast, clang::Expr::NPC_ValueDependentIsNull);
  });
}

// A name that reads well in reports, and in quotes.
std::string site_name(const rewriting& r, const clang::CallExpr* call) {
  const object_facts* site = r.d.site(r.p, call);
  std::string name = site == nullptr ? "" : site->name;
  std::erase_if(name, [](char c) { return c == '"' || c == '\\' || c == '\n'; });
  return name;
}

const clang::FunctionDecl* called_by(const clang::CallExpr* call) {
  const auto* name = dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
  return name == nullptr ? nullptr : dyn_cast<clang::FunctionDecl>(name->getDecl());
}

}  // namespace

void rewrite_call(const rewriting& r, const clang::CallExpr* call) {
  const clang::FunctionDecl* function = called_by(call);
  const library_function* known = known_function(r, function);
  if (known == nullptr) return;
  const clang::SourceLocation name = call->getCallee()->IgnoreParenImpCasts()->getBeginLoc();
  const place at = r.p.place_of(call->getExprLoc());
  const std::string translated = "eulash_" + function->getNameAsString();
  switch (known->kind) {
    case call_kind::plain:
    case call_kind::threads:
      return;
    case call_kind::runtime:
      return r.to.replace(name, translated);
    case call_kind::translated:
      if (may_meet_shared(r, call)) r.to.replace(name, translated);
      return;
    case call_kind::allocation:
      if (known->effect.find("=new") != known->effect.npos && r.d.allocates_private(r.p, call) &&
          !may_meet_shared(r, call))
        return;
      r.to.replace(name, translated);
      r.to.wrap(call->getArg(call->getNumArgs() - 1)->getSourceRange(), "",
                fmt::format(", EULASH_SITE_AT({}, \"{}\", {}, 0)", at.line, site_name(r, call), r.d.protocol(at)));
      return;
  }
}

void rewrite_function_name(const rewriting& r, const clang::DeclRefExpr* name, bool is_called) {
  const auto* function = dyn_cast<clang::FunctionDecl>(name->getDecl());
  if (function == nullptr || is_called || r.d.is_defined(r.p, function)) return;
  const library_function* known = known_function(r, function);
  if (known != nullptr && (known->kind == call_kind::translated || known->kind == call_kind::runtime))
    return r.to.replace(name->getLocation(), fmt::format("eulash_{}", known->name));
  const bool has_pointers = function->isVariadic() || function->getReturnType()->isPointerType() ||
                            std::ranges::any_of(function->parameters(), [](const clang::ParmVarDecl* p) {
                              return p->getType()->isPointerType();
                            });
  if (has_pointers)
    r.refuse(name->getLocation(), fmt::format("the address of {}()", function->getNameAsString()),
             "where it is called, and with what, would not be seen", "write a function that calls it");
}

}  // namespace eulash
