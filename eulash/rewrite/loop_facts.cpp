#include "eulash/rewrite/loop_facts.hpp"

#include <clang/AST/Attr.h>

#include <algorithm>

#include "eulash/source/walk.hpp"

namespace eulash {

using llvm::dyn_cast;
using llvm::isa;

namespace {

const clang::VarDecl* variable_of(const clang::Expr* e) {
  const auto* name = dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
  return name == nullptr ? nullptr : dyn_cast<clang::VarDecl>(name->getDecl());
}

bool adds_one(const clang::Expr* e, const clang::VarDecl* to) {
  const auto* unary = dyn_cast<clang::UnaryOperator>(e->IgnoreParens());
  return unary != nullptr && unary->isIncrementOp() && variable_of(unary->getSubExpr()) == to;
}

// j, j + c, c + j, j - c.
bool moves_with(const clang::Expr* index, const clang::VarDecl* counter) {
  if (variable_of(index) == counter) return true;
  const auto* sum = dyn_cast<clang::BinaryOperator>(index->IgnoreParenImpCasts());
  if (sum == nullptr || !sum->isAdditiveOp()) return false;
  const bool left = variable_of(sum->getLHS()) == counter, right = variable_of(sum->getRHS()) == counter;
  return left != right && (left || sum->getOpcode() == clang::BO_Add);
}

// Functions of numbers only, which the compiler knows.
bool is_arithmetic(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  return callee != nullptr && callee->getBuiltinID() != 0 && callee->hasAttr<clang::ConstAttr>() &&
         std::ranges::none_of(call->arguments(), [](const clang::Expr* a) { return a->getType()->isPointerType(); });
}

}  // namespace

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

loop_facts::loop_facts(const rewriting& r, const counted_loop& l, const clang::Stmt* function) : r_(r), l_(l) {
  walk(function, [&](const clang::Stmt* s) {
    const auto* unary = dyn_cast<clang::UnaryOperator>(s);
    if (unary != nullptr && unary->getOpcode() == clang::UO_AddrOf)
      if (const clang::VarDecl* v = memory_of(unary->getSubExpr()).variable) addressed_.insert(v);
  });
  look_at(l.loop->getBody(), false);
  look_at(l.loop->getCond(), false);
  const bool counter_is_its_own = !changed_.contains(l.counter) && !addressed_.contains(l.counter);
  plain_ = plain_ && counter_is_its_own && is_invariant(l.first, false) && is_invariant(l.end, false);
  plain_ = plain_ && std::ranges::all_of(accesses_, [&](const walked_access& a) { return stays(a); });
}

// Whether the pointer of the access is the same in each round, and what follows it but for the counter.
bool loop_facts::stays(const walked_access& a) const {
  const bool careful = a.conditional || leaves_early_;
  if (a.base == nullptr) return is_invariant(a.lvalue, careful);
  if (!is_invariant(a.base, careful)) return false;
  for (const clang::Expr* e = a.lvalue->IgnoreParens();;) {
    if (const auto* member = dyn_cast<clang::MemberExpr>(e)) {
      e = member->getBase()->IgnoreParens();
      continue;
    }
    const auto* element = dyn_cast<clang::ArraySubscriptExpr>(e);
    if (element == nullptr) return false;
    if (element->getBase() == a.base) {
      const auto* sum = dyn_cast<clang::BinaryOperator>(element->getIdx()->IgnoreParenImpCasts());
      if (sum == nullptr) return true;
      return is_invariant(variable_of(sum->getLHS()) == l_.counter ? sum->getRHS() : sum->getLHS(), true);
    }
    const clang::Expr* array = array_of(element->getBase());
    if (array == nullptr || !is_invariant(element->getIdx(), true)) return false;
    e = array->IgnoreParens();
  }
}

void loop_facts::look_at(const clang::Stmt* s, bool conditional) {
  if (s == nullptr || !plain_) return;
  if (isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt>(s)) leaves_early_ = true;
  if (isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::SwitchStmt, clang::LabelStmt, clang::GotoStmt,
          clang::IndirectGotoStmt, clang::StmtExpr, clang::AtomicExpr, clang::CompoundLiteralExpr, clang::VAArgExpr,
          clang::AsmStmt, clang::GenericSelectionExpr, clang::UnaryExprOrTypeTraitExpr, clang::InitListExpr>(s))
    plain_ = false;
  if (const auto* call = dyn_cast<clang::CallExpr>(s); call != nullptr && !is_arithmetic(call)) plain_ = false;
  if (const auto* declared = dyn_cast<clang::DeclStmt>(s)) {
    for (const clang::Decl* d : declared->decls()) {
      const auto* variable = dyn_cast<clang::VarDecl>(d);
      if (variable == nullptr || !variable->hasLocalStorage() || variable->getType()->isVariablyModifiedType())
        plain_ = false;
      else
        declared_.insert(variable);
    }
  }
  if (const auto* cast = dyn_cast<clang::CastExpr>(s);
      cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue)
    look_at_access(cast->getSubExpr(), false, conditional);
  if (const auto* binary = dyn_cast<clang::BinaryOperator>(s); binary != nullptr && binary->isAssignmentOp()) {
    note_store(binary->getLHS());
    look_at_access(binary->getLHS(), true, conditional);
  }
  if (const auto* unary = dyn_cast<clang::UnaryOperator>(s)) {
    if (unary->isIncrementDecrementOp()) {
      note_store(unary->getSubExpr());
      look_at_access(unary->getSubExpr(), true, conditional);
    }
    // An address that is not followed at once might be anybody's.
    if (unary->getOpcode() == clang::UO_AddrOf) plain_ = false;
  }
  const auto* logical = dyn_cast<clang::BinaryOperator>(s);
  const bool chooses =
      isa<clang::IfStmt, clang::AbstractConditionalOperator>(s) || (logical != nullptr && logical->isLogicalOp());
  for (const clang::Stmt* child : s->children()) look_at(child, conditional || chooses);
}

void loop_facts::note_store(const clang::Expr* lvalue) {
  const memory m = memory_of(lvalue);
  if (m.variable != nullptr) changed_.insert(m.variable);
  if (m.variable == nullptr || !m.variable->hasLocalStorage() || addressed_.contains(m.variable))
    stored_.insert(lvalue->getType().getCanonicalType().getUnqualifiedType().getTypePtr());
}

const clang::Expr* loop_facts::base_of(const clang::Expr* lvalue) const {
  const clang::Expr* e = lvalue->IgnoreParens();
  if (const auto* member = dyn_cast<clang::MemberExpr>(e))
    return member->isArrow() ? nullptr : base_of(member->getBase());
  const auto* element = dyn_cast<clang::ArraySubscriptExpr>(e);
  if (element == nullptr) return nullptr;
  if (moves_with(element->getIdx(), l_.counter)) return element->getBase();
  const clang::Expr* array = array_of(element->getBase());
  return array == nullptr ? nullptr : base_of(array);
}

void loop_facts::look_at_access(const clang::Expr* lvalue, bool writes, bool conditional) {
  if (!is_wrapped(r_, lvalue)) return;
  const clang::QualType type = lvalue->getType();
  if (lvalue->refersToBitField() || type.isVolatileQualified() || type->isAtomicType() || type->isRecordType() ||
      lvalue->getBeginLoc().isMacroID() || lvalue->getEndLoc().isMacroID()) {
    plain_ = false;
    return;
  }
  accesses_.push_back({lvalue, base_of(lvalue), writes, conditional});
}

bool loop_facts::uses_counter(const clang::Expr* e) const {
  bool uses = false;
  walk(e, [&](const clang::Stmt* s) {
    const auto* name = dyn_cast<clang::DeclRefExpr>(s);
    uses = uses || (name != nullptr && name->getDecl() == l_.counter);
  });
  return uses;
}

// By the rules of types that C has for what may be the same datum.
bool loop_facts::may_be_stored(clang::QualType loaded) const {
  const clang::Type* type = loaded.getCanonicalType().getUnqualifiedType().getTypePtr();
  return std::ranges::any_of(stored_, [&](const clang::Type* stored) {
    return stored == type || stored->isCharType() || stored->isRecordType() || type->isCharType() ||
           type->isRecordType() || (stored->isIntegerType() && type->isIntegerType());
  });
}

bool loop_facts::is_invariant(const clang::Expr* e, bool conditional) const {
  bool same = !uses_counter(e);
  walk(e, [&](const clang::Stmt* s) {
    if (isa<clang::CallExpr, clang::StmtExpr, clang::AtomicExpr, clang::CompoundLiteralExpr,
            clang::AbstractConditionalOperator>(s))
      same = false;
    const auto* binary = dyn_cast<clang::BinaryOperator>(s);
    if (binary != nullptr && (binary->isAssignmentOp() || binary->isLogicalOp() ||
                              binary->getOpcode() == clang::BO_Div || binary->getOpcode() == clang::BO_Rem))
      same = false;
    const auto* unary = dyn_cast<clang::UnaryOperator>(s);
    if (unary != nullptr && unary->isIncrementDecrementOp()) same = false;
    if (const auto* name = dyn_cast<clang::DeclRefExpr>(s)) {
      const auto* variable = dyn_cast<clang::VarDecl>(name->getDecl());
      if (variable != nullptr && declared_.contains(variable)) same = false;
      if (variable != nullptr && addressed_.contains(variable) && may_be_stored(variable->getType())) same = false;
    }
    const auto* cast = dyn_cast<clang::CastExpr>(s);
    if (cast == nullptr || cast->getCastKind() != clang::CK_LValueToRValue) return;
    const memory m = memory_of(cast->getSubExpr());
    if (cast->getType().isVolatileQualified() || cast->getSubExpr()->getType()->isAtomicType() ||
        cast->getSubExpr()->refersToBitField())
      same = false;
    if (m.variable != nullptr && changed_.contains(m.variable)) same = false;
    const bool is_elsewhere = m.variable == nullptr || !m.variable->hasLocalStorage();
    if (is_elsewhere && may_be_stored(cast->getType())) same = false;
    if (conditional && m.pointer != nullptr) same = false;
  });
  return same;
}

}  // namespace eulash
