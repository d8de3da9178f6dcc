#include "eulash/rewrite/counted_loop.hpp"

#include "eulash/source/walk.hpp"

namespace eulash {

using llvm::dyn_cast;

namespace {

constexpr int few_rounds = 8;  // for less, asking for all of it takes longer than each access by itself

bool adds_one(const clang::Expr* e, const clang::VarDecl* to) {
  const auto* unary = dyn_cast<clang::UnaryOperator>(e->IgnoreParens());
  return unary != nullptr && unary->isIncrementOp() && variable_of(unary->getSubExpr()) == to;
}

}  // namespace

const clang::VarDecl* variable_of(const clang::Expr* e) {
  const auto* name = dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
  return name == nullptr ? nullptr : dyn_cast<clang::VarDecl>(name->getDecl());
}

std::optional<counted_loop> counted(const clang::Stmt* s) {
  const auto* loop = dyn_cast<clang::ForStmt>(s);
  if (loop == nullptr || loop->getInit() == nullptr || loop->getCond() == nullptr || loop->getInc() == nullptr)
    return std::nullopt;
  counted_loop l{loop};
  if (const auto* declared = dyn_cast<clang::DeclStmt>(loop->getInit())) {
    l.counter = declared->isSingleDecl() ? dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
    l.first = l.counter != nullptr ? l.counter->getInit() : nullptr;
    l.declares = true;
  } else if (const auto* set = dyn_cast<clang::BinaryOperator>(loop->getInit());
             set && set->getOpcode() == clang::BO_Assign) {
    l.counter = variable_of(set->getLHS());
    l.first = set->getRHS();
  }
  const auto* compared = dyn_cast<clang::BinaryOperator>(loop->getCond()->IgnoreParens());
  if (l.counter == nullptr || l.first == nullptr || compared == nullptr || !l.counter->hasLocalStorage())
    return std::nullopt;
  l.inclusive = compared->getOpcode() == clang::BO_LE;
  if (!l.inclusive && compared->getOpcode() != clang::BO_LT) return std::nullopt;
  l.end = compared->getRHS();
  const bool counts = variable_of(compared->getLHS()) == l.counter && adds_one(loop->getInc(), l.counter) &&
                      l.counter->getType()->isIntegerType() && l.end->getType()->isIntegerType();
  return counts ? std::optional(l) : std::nullopt;
}

bool is_short(const rewriting& r, const clang::Stmt* s) {
  const std::optional<counted_loop> l = counted(s);
  clang::Expr::EvalResult first, end;
  if (!l || !l->first->EvaluateAsInt(first, r.p.ast) || !l->end->EvaluateAsInt(end, r.p.ast)) return false;
  if (end.Val.getInt().getExtValue() - first.Val.getInt().getExtValue() + (l->inclusive ? 1 : 0) > few_rounds)
    return false;
  bool counts = true;
  walk(l->loop->getBody(), [&](const clang::Stmt* part) {
    const auto* unary = dyn_cast<clang::UnaryOperator>(part);
    const bool may_change =
        unary != nullptr && (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf);
    if (may_change && variable_of(unary->getSubExpr()) == l->counter) counts = false;
    const auto* binary = dyn_cast<clang::BinaryOperator>(part);
    if (binary != nullptr && binary->isAssignmentOp() && variable_of(binary->getLHS()) == l->counter) counts = false;
  });
  return counts;
}

}  // namespace eulash
