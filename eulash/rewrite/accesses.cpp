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
  // Parentheses around it would hold both arguments together.
  const clang::Expr* named = lvalue;
  while (const auto* around = dyn_cast<clang::ParenExpr>(named)) {
    r.to.replace(around->getLParen(), " ");
    r.to.replace(around->getRParen(), " ");
    named = around->getSubExpr();
  }
  const auto* outer = dyn_cast<clang::MemberExpr>(named);
  if (outer == nullptr)
    return r.refuse(lvalue->getBeginLoc(), "this bit-field", "it is not named as one of a struct",
                    "name it by its struct");
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

// Parentheses may belong to a macro of the system's that was given what is in them.
void rewrite_load(const rewriting& r, const clang::Expr* in_parentheses) {
  const clang::Expr* const lvalue = in_parentheses->IgnoreParens();
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

// What is fetched and changed in one go is an integer; whose value nobody looks at, since that is the old one there.
void rewrite_atomic_assignment(const rewriting& r, const clang::BinaryOperator* e, bool discarded) {
  const std::string_view operation = atomic_operation(e->getOpcode());
  const bool plain_value = e->getLHS()->getType()->getAs<clang::AtomicType>()->getValueType()->isIntegerType();
  if (operation.empty() || !discarded || !plain_value) {
    const clang::BinaryOperatorKind by = clang::BinaryOperator::getOpForCompoundAssignment(e->getOpcode());
    r.to.wrap(e->getSourceRange(), "EULASH_ATOMIC_UPDATE(", ")");
    r.to.replace(e->getOperatorLoc(), fmt::format(", {},", clang::BinaryOperator::getOpcodeStr(by).str()));
    return protect_commas(r, e->getLHS());
  }
  r.to.wrap(e->getSourceRange(), fmt::format("EULASH_ATOMIC_FETCH({}, ", operation), ")");
  r.to.replace(e->getOperatorLoc(), ",");
  protect_commas(r, e->getLHS());
  protect_commas(r, e->getRHS());
}

void rewrite_assignment(const rewriting& r, const clang::BinaryOperator* e, bool discarded) {
  const clang::Expr* const to = e->getLHS();
  if (to->getType()->isAtomicType() && e->isCompoundAssignmentOp()) return rewrite_atomic_assignment(r, e, discarded);
  const std::string_view change = e->isCompoundAssignmentOp()     ? "UPDATE"
                                  : to->getType()->isAtomicType() ? "ATOMIC_ASSIGN"
                                                                  : "STORE";
  r.to.wrap(e->getSourceRange(), fmt::format("EULASH_{}{}(", change, to->refersToBitField() ? "_FIELD" : ""), ")");
  if (lvalue_argument(r, to).empty()) protect_commas(r, to);
  // A variable cannot have the type of a bit-field; that of its promoted value it can.
  if (e->getRHS()->IgnoreParenImpCasts()->refersToBitField()) r.to.wrap(e->getRHS()->getSourceRange(), "+(", ")");
  if (!e->isCompoundAssignmentOp()) return r.to.replace(e->getOperatorLoc(), ",");
  const clang::BinaryOperatorKind by = clang::BinaryOperator::getOpForCompoundAssignment(e->getOpcode());
  r.to.replace(e->getOperatorLoc(), fmt::format(", {},", clang::BinaryOperator::getOpcodeStr(by).str()));
}

void rewrite_increment(const rewriting& r, const clang::UnaryOperator* e, bool discarded) {
  const clang::Expr* const of = e->getSubExpr();
  const auto* atomic = of->getType()->getAs<clang::AtomicType>();
  if (atomic != nullptr && (!atomic->getValueType()->isIntegerType() || atomic->getValueType()->isBooleanType())) {
    r.to.wrap(e->getSourceRange(), e->isPostfix() ? "EULASH_ATOMIC_POST_UPDATE(" : "EULASH_ATOMIC_UPDATE(",
              e->isIncrementOp() ? ", +, 1)" : ", -, 1)");
    protect_commas(r, of);
  } else if (atomic != nullptr) {
    const std::string_view operation = e->isIncrementOp() ? "add" : "sub";
    const char* const then = e->isPostfix() || discarded ? "1))" : e->isIncrementOp() ? "1) + 1)" : "1) - 1)";
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
    if (unary->isIncrementDecrementOp() && is_wrapped(r, unary->getSubExpr())) rewrite_increment(r, unary, discarded);
  }
}

}  // namespace eulash
