#include "eulash/source/walk.hpp"

#include <clang/AST/Decl.h>
#include <llvm/Support/Casting.h>

namespace eulash {

using llvm::dyn_cast;
using llvm::isa;

namespace {

void walk_sizes(clang::QualType type, const std::function<void(const clang::Stmt*)>& visit) {
  sizes_in(type, [&](const clang::Expr* size) { walk(size, visit); });
}

void walk_declarations(const clang::DeclStmt* statement, const std::function<void(const clang::Stmt*)>& visit) {
  for (const clang::Decl* d : statement->decls()) {
    if (const auto* variable = dyn_cast<clang::VarDecl>(d)) {
      walk_sizes(variable->getType(), visit);
      if (variable->hasLocalStorage() && variable->hasInit()) walk(variable->getInit(), visit);
    } else if (const auto* alias = dyn_cast<clang::TypedefNameDecl>(d)) {
      walk_sizes(alias->getUnderlyingType(), visit);
    }
  }
}

}  // namespace

void sizes_in(clang::QualType type, const std::function<void(const clang::Expr*)>& visit) {
  if (!type->isVariablyModifiedType()) return;
  for (const clang::Type* t = type.getTypePtr(); t != nullptr;) {
    if (const auto* array = t->getAsArrayTypeUnsafe()) {
      const auto* variable = dyn_cast<clang::VariableArrayType>(array);
      if (variable != nullptr && variable->getSizeExpr() != nullptr) visit(variable->getSizeExpr());
      t = array->getElementType().getTypePtr();
    } else if (t->isPointerType()) {
      t = t->getPointeeType().getTypePtr();
    } else {
      return;
    }
  }
}

void walk(const clang::Stmt* from, const std::function<void(const clang::Stmt*)>& visit) {
  if (from == nullptr || isa<clang::OffsetOfExpr, clang::OpaqueValueExpr, clang::ConstantExpr>(from)) return;
  if (const auto* list = dyn_cast<clang::InitListExpr>(from); list != nullptr && list->getSemanticForm() != nullptr)
    from = list->getSemanticForm();
  visit(from);
  if (const auto* trait = dyn_cast<clang::UnaryExprOrTypeTraitExpr>(from)) {
    if (trait->isArgumentType()) walk_sizes(trait->getArgumentType(), visit);
  } else if (const auto* generic = dyn_cast<clang::GenericSelectionExpr>(from)) {
    walk(generic->getResultExpr(), visit);
  } else if (const auto* choose = dyn_cast<clang::ChooseExpr>(from)) {
    walk(choose->getChosenSubExpr(), visit);
  } else if (const auto* either = dyn_cast<clang::BinaryConditionalOperator>(from)) {
    walk(either->getCommon(), visit);
    walk(either->getFalseExpr(), visit);
  } else if (const auto* declarations = dyn_cast<clang::DeclStmt>(from)) {
    walk_declarations(declarations, visit);
  } else {
    if (const auto* cast = dyn_cast<clang::ExplicitCastExpr>(from)) walk_sizes(cast->getTypeAsWritten(), visit);
    for (const clang::Stmt* child : from->children()) walk(child, visit);
  }
}

const clang::Expr* array_of(const clang::Expr* pointer) {
  const auto* cast = dyn_cast<clang::ImplicitCastExpr>(pointer->IgnoreParens());
  return cast != nullptr && cast->getCastKind() == clang::CK_ArrayToPointerDecay ? cast->getSubExpr() : nullptr;
}

memory memory_of(const clang::Expr* lvalue) {
  const clang::Expr* e = lvalue->IgnoreParens();
  if (const auto* name = dyn_cast<clang::DeclRefExpr>(e)) return {dyn_cast<clang::VarDecl>(name->getDecl()), nullptr};
  if (const auto* member = dyn_cast<clang::MemberExpr>(e)) {
    if (member->isArrow()) {
      if (const clang::Expr* array = array_of(member->getBase())) return memory_of(array);
      return {nullptr, member->getBase()};
    }
    return member->getBase()->isGLValue() ? memory_of(member->getBase()) : memory{};
  }
  if (const auto* element = dyn_cast<clang::ArraySubscriptExpr>(e)) {
    if (const clang::Expr* array = array_of(element->getBase())) return memory_of(array);
    return {nullptr, element->getBase()};
  }
  if (const auto* unary = dyn_cast<clang::UnaryOperator>(e)) {
    if (unary->getOpcode() == clang::UO_Deref) {
      if (const clang::Expr* array = array_of(unary->getSubExpr())) return memory_of(array);
      return {nullptr, unary->getSubExpr()};
    }
    return unary->getSubExpr()->isGLValue() ? memory_of(unary->getSubExpr()) : memory{};
  }
  if (const auto* cast = dyn_cast<clang::CastExpr>(e))
    return cast->getSubExpr()->isGLValue() ? memory_of(cast->getSubExpr()) : memory{};
  return {};
}

}  // namespace eulash
