// Loads, stores, compound assignments and increments of memory that may be shared become macros of
// tsubu/eulash/memory.h around the text that is there.
#include <clang/Lex/Lexer.h>
#include <fmt/format.h>

#include <string_view>

#include "eulash/rewrite/parts.hpp"
#include "eulash/source/walk.hpp"

namespace eulash {

using llvm::dyn_cast;

bool is_wrapped(const rewriting& r, const clang::Expr* lvalue) {
  const memory m = memory_of(lvalue);
  if (m.variable != nullptr) return r.d.is_shared(r.p, m.variable);
  return m.pointer != nullptr && !r.d.leads_to_private(r.p, m.pointer);
}

namespace {

// A comma outside of parentheses would begin another argument of the macro. (The last argument may have any.)
void protect_commas(const rewriting& r, const clang::Expr* e) {
  int depth = 0;
  for (const char c : r.to.text_of(e->getSourceRange())) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == ',' && depth <= 0) return r.to.wrap(e->getSourceRange(), "(", ")");
  }
}

// The `.` or `->`: Clang does not say where it is if what follows is of a struct without a name.
clang::SourceLocation operator_of(const rewriting& r, const clang::MemberExpr* member) {
  if (member->getOperatorLoc().isValid()) return member->getOperatorLoc();
  const clang::SourceLocation last = r.p.sources().getFileLoc(member->getBase()->getEndLoc());
  const auto next = clang::Lexer::findNextToken(last, r.p.sources(), r.p.ast.getLangOpts());
  return next ? next->getLocation() : member->getMemberLoc();
}

// `object.field` as two arguments of a macro: `object , field`; of `pointer->field`, `*(pointer) , field`.
void split_field(const rewriting& r, const clang::Expr* lvalue) {
  const auto* member = dyn_cast<clang::MemberExpr>(lvalue);
  if (member == nullptr)
    return r.refuse(lvalue->getBeginLoc(), "parentheses around a bit-field", "its struct is looked for before its name",
                    "leave them out");
  const clang::MemberExpr* outer = member;
  // Structs without a name are members, but nowhere in the text.
  while (const auto* base = dyn_cast<clang::MemberExpr>(outer->getBase())) {
    if (!base->getMemberDecl()->getDeclName().isEmpty()) break;
    outer = base;
  }
  r.to.replace(operator_of(r, outer), ",");
  if (outer->isArrow()) r.to.wrap(outer->getBase()->getSourceRange(), "*(", ")");
}

// An lvalue as argument of a macro.
std::string_view lvalue_argument(const rewriting& r, const clang::Expr* lvalue) {
  if (lvalue->refersToBitField()) {
    split_field(r, lvalue);
    return "_FIELD";
  }
  return "";
}

void rewrite_load(const rewriting& r, const clang::Expr* lvalue) {
  if (lvalue->getType()->isAtomicType()) return r.to.wrap(lvalue->getSourceRange(), "EULASH_ATOMIC_LOAD(", ")");
  r.to.wrap(lvalue->getSourceRange(), fmt::format("EULASH_LOAD{}(", lvalue->refersToBitField() ? "_FIELD" : ""), ")");
  lvalue_argument(r, lvalue);
}

std::string_view atomic_operation(clang::BinaryOperatorKind kind) {
  switch (kind) {
    case clang::BO_AddAssign:
      return "add";
    case clang::BO_SubAssign:
      return "sub";
    case clang::BO_AndAssign:
      return "and";
    case clang::BO_OrAssign:
      return "or";
    case clang::BO_XorAssign:
      return "xor";
    default:
      return "";
  }
}

void refuse_atomic(const rewriting& r, const clang::Expr* e) {
  r.refuse(e->getExprLoc(), "this operation on an atomic value",
           "it is not one of those that are done at the home of a datum",
           "use atomic_fetch_add() and its like, or atomic_compare_exchange_strong()");
}

void rewrite_atomic_assignment(const rewriting& r, const clang::BinaryOperator* e, bool discarded) {
  const std::string_view operation = atomic_operation(e->getOpcode());
  const bool plain_value = e->getLHS()->getType()->getAs<clang::AtomicType>()->getValueType()->isIntegerType();
  if (operation.empty() || !discarded || !plain_value) return refuse_atomic(r, e);
  r.to.wrap(e->getSourceRange(), fmt::format("EULASH_ATOMIC_FETCH({}, ", operation), ")");
  r.to.replace(e->getOperatorLoc(), ",");
  protect_commas(r, e->getLHS());
  protect_commas(r, e->getRHS());
}

void rewrite_assignment(const rewriting& r, const clang::BinaryOperator* e, bool discarded) {
  const clang::Expr* const to = e->getLHS();
  if (to->getType()->isAtomicType() && e->isCompoundAssignmentOp()) return rewrite_atomic_assignment(r, e, discarded);
  const std::string_view change = e->isCompoundAssignmentOp() ? "UPDATE" : "STORE";
  r.to.wrap(e->getSourceRange(), fmt::format("EULASH_{}{}(", change, to->refersToBitField() ? "_FIELD" : ""), ")");
  if (lvalue_argument(r, to).empty()) protect_commas(r, to);
  // A variable cannot have the type of a bit-field; that of its promoted value it can.
  if (e->getRHS()->IgnoreParenImpCasts()->refersToBitField()) r.to.wrap(e->getRHS()->getSourceRange(), "+(", ")");
  if (!e->isCompoundAssignmentOp()) return r.to.replace(e->getOperatorLoc(), ",");
  const clang::BinaryOperatorKind by = clang::BinaryOperator::getOpForCompoundAssignment(e->getOpcode());
  r.to.replace(e->getOperatorLoc(), fmt::format(", {},", clang::BinaryOperator::getOpcodeStr(by).str()));
}

void rewrite_increment(const rewriting& r, const clang::UnaryOperator* e) {
  const clang::Expr* const of = e->getSubExpr();
  if (of->getType()->isAtomicType()) {
    const std::string_view operation = e->isIncrementOp() ? "add" : "sub";
    const char* const then = e->isPostfix() ? "1))" : e->isIncrementOp() ? "1) + 1)" : "1) - 1)";
    r.to.wrap(e->getSourceRange(), fmt::format("(EULASH_ATOMIC_FETCH({}, ", operation), fmt::format(", {}", then));
    protect_commas(r, of);
  } else {
    r.to.wrap(e->getSourceRange(),
              fmt::format("EULASH_{}_{}CREMENT{}(", e->isPostfix() ? "POST" : "PRE", e->isIncrementOp() ? "IN" : "DE",
                          of->refersToBitField() ? "_FIELD" : ""),
              ")");
    if (lvalue_argument(r, of).empty()) protect_commas(r, of);
  }
  r.to.replace(e->getOperatorLoc(), "");
}

}  // namespace

void rewrite_access(const rewriting& r, const clang::Expr* e, bool discarded) {
  if (const auto* cast = dyn_cast<clang::CastExpr>(e)) {
    if (cast->getCastKind() == clang::CK_LValueToRValue && is_wrapped(r, cast->getSubExpr()))
      rewrite_load(r, cast->getSubExpr());
  } else if (const auto* binary = dyn_cast<clang::BinaryOperator>(e)) {
    if (binary->isAssignmentOp() && is_wrapped(r, binary->getLHS())) rewrite_assignment(r, binary, discarded);
  } else if (const auto* unary = dyn_cast<clang::UnaryOperator>(e)) {
    if (unary->isIncrementDecrementOp() && is_wrapped(r, unary->getSubExpr())) rewrite_increment(r, unary);
  }
}

}  // namespace eulash
