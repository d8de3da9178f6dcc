#include "eulash/rewrite/loop_facts.hpp"

#include <clang/AST/Attr.h>

#include <algorithm>

#include "eulash/rewrite/held_functions.hpp"
#include "eulash/source/walk.hpp"

namespace eulash {

using llvm::dyn_cast;
using llvm::isa;

namespace {

// j, j + c, c + j, j - c.
bool moves_with(const clang::Expr* index, const clang::VarDecl* counter) {
  if (variable_of(index) == counter) return true;
  const auto* sum = dyn_cast<clang::BinaryOperator>(index->IgnoreParenImpCasts());
  if (sum == nullptr || !sum->isAdditiveOp()) return false;
  const bool left = variable_of(sum->getLHS()) == counter, right = variable_of(sum->getRHS()) == counter;
  return left != right && (left || sum->getOpcode() == clang::BO_Add);
}

// What is jumped over or into, and what hides accesses.
bool is_hidden(const clang::Stmt* s) {
  return isa<clang::WhileStmt, clang::DoStmt, clang::SwitchStmt, clang::LabelStmt, clang::GotoStmt,
             clang::IndirectGotoStmt, clang::StmtExpr, clang::AtomicExpr, clang::CompoundLiteralExpr, clang::VAArgExpr,
             clang::AsmStmt, clang::GenericSelectionExpr, clang::UnaryExprOrTypeTraitExpr, clang::InitListExpr>(s);
}

}  // namespace

loop_facts::loop_facts(const rewriting& r, const counted_loop& l, const clang::Stmt* function) : r_(r), l_(l) {
  walk(function, [&](const clang::Stmt* s) {
    const auto* unary = dyn_cast<clang::UnaryOperator>(s);
    if (unary != nullptr && unary->getOpcode() == clang::UO_AddrOf)
      if (const clang::VarDecl* v = memory_of(unary->getSubExpr()).variable) addressed_.insert(v);
  });
  look_at(l.loop->getBody(), false);
  const bool counter_is_its_own = !changed_.contains(l.counter) && !addressed_.contains(l.counter);
  plain_ = plain_ && counter_is_its_own && is_invariant(l.first, false) && is_invariant(l.end, false);
  if (plain_) sort_accesses();
}

// Those that are anywhere may wait, and what is held to be written stays only as long as nobody does.
void loop_facts::sort_accesses() {
  for (walked_access& a : accesses_) a.anywhere = !stays(a);
  may_wait_ = std::ranges::any_of(accesses_, &walked_access::anywhere);
  for (walked_access& a : accesses_) {
    a.anywhere = a.anywhere || (may_wait_ && a.writes);
    if (a.anywhere && a.whole == nullptr) plain_ = false;
  }
  const auto is_walked = [](const walked_access& a) { return a.base != nullptr && !a.anywhere; };
  if (may_wait_ && std::ranges::none_of(accesses_, is_walked)) plain_ = false;
}

// Whether the pointer of the access is the same in each round, and what follows it but for the counter, and what is in
// an element of the size that it always has.
bool loop_facts::stays(walked_access& a) const {
  const bool careful = a.conditional || leaves_early_;
  bool varies = false;
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
      if (varies) a.element = element;
      if (sum == nullptr) return true;
      return is_invariant(variable_of(sum->getLHS()) == l_.counter ? sum->getRHS() : sum->getLHS(), true);
    }
    const clang::Expr* array = array_of(element->getBase());
    if (array == nullptr) return false;
    if (!is_invariant(element->getIdx(), true)) {
      if (!has_fixed_size(r_, array)) return false;
      varies = true;
    }
    e = array->IgnoreParens();
  }
}

void loop_facts::look_at(const clang::Stmt* s, bool conditional) {
  if (s == nullptr || !plain_) return;
  if (isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt>(s)) leaves_early_ = true;
  if (isa<clang::BreakStmt>(s)) has_break_ = true;
  if (is_hidden(s) || (isa<clang::ForStmt>(s) && !is_short(r_, s))) plain_ = false;
  if (const auto* call = dyn_cast<clang::CallExpr>(s); call != nullptr && !is_arithmetic(call)) {
    if (!look_at_call(call, conditional)) plain_ = false;
    return;
  }
  if (const auto* declared = dyn_cast<clang::DeclStmt>(s)) look_at_declarations(declared);
  if (const auto* cast = dyn_cast<clang::CastExpr>(s);
      cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue)
    look_at_access(cast, cast->getSubExpr(), false, conditional);
  if (const auto* binary = dyn_cast<clang::BinaryOperator>(s); binary != nullptr && binary->isAssignmentOp()) {
    note_store(binary->getLHS());
    look_at_access(binary, binary->getLHS(), true, conditional);
  }
  if (const auto* unary = dyn_cast<clang::UnaryOperator>(s)) {
    if (unary->isIncrementDecrementOp()) {
      note_store(unary->getSubExpr());
      look_at_access(unary, unary->getSubExpr(), true, conditional);
    }
    // An address that is not followed at once might be anybody's.
    if (unary->getOpcode() == clang::UO_AddrOf) plain_ = false;
  }
  const auto* logical = dyn_cast<clang::BinaryOperator>(s);
  const bool chooses = isa<clang::IfStmt, clang::ForStmt, clang::AbstractConditionalOperator>(s) ||
                       (logical != nullptr && logical->isLogicalOp());
  for (const clang::Stmt* child : s->children()) look_at(child, conditional || chooses);
}

void loop_facts::look_at_declarations(const clang::DeclStmt* declared) {
  for (const clang::Decl* d : declared->decls()) {
    const auto* variable = dyn_cast<clang::VarDecl>(d);
    if (variable == nullptr || !variable->hasLocalStorage() || variable->getType()->isVariablyModifiedType())
      plain_ = false;
    else
      declared_.insert(variable);
  }
}

// A function that accesses what it is given the address of, and nothing else that may be shared.
bool loop_facts::look_at_call(const clang::CallExpr* call, bool conditional) {
  const held_function* known = r_.held.find(r_, call);
  if (known == nullptr) return false;
  calls_.push_back(call);
  for (const clang::Type* type : known->stored) stored_.push_back({type, nullptr});
  for (unsigned k = 0; k != call->getNumArgs(); ++k) {
    const clang::Expr* argument = call->getArg(k);
    const auto followed = known->followed.find(k);
    if (followed == known->followed.end())
      look_at(argument, conditional);
    else if (!look_at_address(argument, followed->second, conditional))
      return false;
  }
  return true;
}

bool loop_facts::look_at_address(const clang::Expr* argument, bool writes, bool conditional) {
  if (r_.d.leads_to_private(r_.p, argument)) {
    look_at(argument, conditional);
    return true;
  }
  const auto* address = dyn_cast<clang::UnaryOperator>(argument->IgnoreParenImpCasts());
  if (address == nullptr || address->getOpcode() != clang::UO_AddrOf) return false;
  const clang::Expr* lvalue = address->getSubExpr();
  const clang::QualType told = argument->getType()->getPointeeType();
  if (told.getCanonicalType().getUnqualifiedType() != lvalue->getType().getCanonicalType().getUnqualifiedType())
    return false;
  if (!is_wrapped(r_, lvalue) || lvalue->getBeginLoc().isMacroID() || lvalue->getEndLoc().isMacroID()) return false;
  accesses_.push_back({lvalue, base_of(lvalue), writes, conditional});
  look_at(lvalue, conditional);
  return true;
}

void loop_facts::note_store(const clang::Expr* lvalue) {
  const memory m = memory_of(lvalue);
  if (m.variable != nullptr) changed_.insert(m.variable);
  if (m.variable == nullptr || !m.variable->hasLocalStorage() || addressed_.contains(m.variable))
    stored_.push_back({lvalue->getType().getCanonicalType().getUnqualifiedType().getTypePtr(), m.pointer});
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

void loop_facts::look_at_access(const clang::Expr* whole, const clang::Expr* lvalue, bool writes, bool conditional) {
  if (!is_wrapped(r_, lvalue)) return;
  const clang::QualType type = lvalue->getType();
  if (lvalue->refersToBitField() || type.isVolatileQualified() || type->isAtomicType() || type->isRecordType() ||
      lvalue->getBeginLoc().isMacroID() || lvalue->getEndLoc().isMacroID()) {
    plain_ = false;
    return;
  }
  accesses_.push_back({lvalue, base_of(lvalue), writes, conditional, whole});
}

bool loop_facts::uses_counter(const clang::Expr* e) const {
  bool uses = false;
  walk(e, [&](const clang::Stmt* s) {
    const auto* name = dyn_cast<clang::DeclRefExpr>(s);
    uses = uses || (name != nullptr && name->getDecl() == l_.counter);
  });
  return uses;
}

// By who points to what, and by the rules of types that C has for what may be the same datum.
bool loop_facts::may_be_stored(clang::QualType loaded, const clang::VarDecl* variable) const {
  const clang::Type* type = loaded.getCanonicalType().getUnqualifiedType().getTypePtr();
  return std::ranges::any_of(stored_, [&](const store& s) {
    if (variable != nullptr && s.pointer != nullptr && !r_.d.may_lead_to(r_.p, s.pointer, variable)) return false;
    return s.type == type || s.type->isCharType() || s.type->isRecordType() || type->isCharType() ||
           type->isRecordType() || (s.type->isIntegerType() && type->isIntegerType());
  });
}

bool loop_facts::is_invariant(const clang::Expr* e, bool conditional) const {
  bool same = !uses_counter(e);
  walk(e, [&](const clang::Stmt* s) {
    if (isa<clang::CallExpr, clang::StmtExpr, clang::AtomicExpr, clang::CompoundLiteralExpr,
            clang::AbstractConditionalOperator>(s))
      same = false;
    const auto* binary = dyn_cast<clang::BinaryOperator>(s);
    const bool divides =
        binary != nullptr && (binary->getOpcode() == clang::BO_Div || binary->getOpcode() == clang::BO_Rem);
    if (binary != nullptr && (binary->isAssignmentOp() || binary->isLogicalOp() || (conditional && divides)))
      same = false;
    const auto* unary = dyn_cast<clang::UnaryOperator>(s);
    if (unary != nullptr && unary->isIncrementDecrementOp()) same = false;
    if (const auto* name = dyn_cast<clang::DeclRefExpr>(s)) {
      const auto* variable = dyn_cast<clang::VarDecl>(name->getDecl());
      if (variable != nullptr && declared_.contains(variable)) same = false;
      if (variable != nullptr && addressed_.contains(variable) && may_be_stored(variable->getType(), nullptr))
        same = false;
    }
    const auto* cast = dyn_cast<clang::CastExpr>(s);
    if (cast == nullptr || cast->getCastKind() != clang::CK_LValueToRValue) return;
    const memory m = memory_of(cast->getSubExpr());
    if (cast->getType().isVolatileQualified() || cast->getSubExpr()->getType()->isAtomicType() ||
        cast->getSubExpr()->refersToBitField())
      same = false;
    if (m.variable != nullptr && changed_.contains(m.variable)) same = false;
    const bool is_elsewhere = m.variable == nullptr || !m.variable->hasLocalStorage();
    if (is_elsewhere && may_be_stored(cast->getType(), m.variable)) same = false;
    if (conditional && m.pointer != nullptr) same = false;
  });
  return same;
}

}  // namespace eulash
