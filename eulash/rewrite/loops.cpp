// A process that computes answers others too: each loop that does more than arithmetic on private data asks, now and
// then, whether there are messages.
#include <clang/AST/Stmt.h>

#include "eulash/rewrite/counted_loop.hpp"
#include "eulash/source/walk.hpp"

namespace eulash {
namespace {

using llvm::dyn_cast;
using llvm::isa;

// Whether it calls somebody or asks for memory, for many rounds: else it ends without anybody's help.
bool can_be_long(const rewriting& r, const clang::Stmt* loop) {
  if (is_short(r, loop)) return false;
  bool is_long = !r.d.is_proven();
  walk(loop, [&](const clang::Stmt* s) {
    if (isa<clang::CallExpr, clang::AtomicExpr>(s)) is_long = true;
    const auto* cast = dyn_cast<clang::CastExpr>(s);
    if (cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue && is_wrapped(r, cast->getSubExpr()))
      is_long = true;
    const auto* binary = dyn_cast<clang::BinaryOperator>(s);
    if (binary != nullptr && binary->isAssignmentOp() && is_wrapped(r, binary->getLHS())) is_long = true;
  });
  return is_long;
}

void poll_before(const rewriting& r, const clang::Expr* e) {
  r.to.wrap(e->getSourceRange(), "(eulash_poll(), (", "))");
}

}  // namespace

void rewrite_loop(const rewriting& r, const clang::Stmt* loop) {
  if (isa<clang::LabelStmt>(loop)) {
    const auto* label = dyn_cast<clang::LabelStmt>(loop);
    return r.to.insert_before(label->getSubStmt()->getBeginLoc(), "eulash_poll(); ");
  }
  if (!can_be_long(r, loop)) return;
  if (const auto* while_loop = dyn_cast<clang::WhileStmt>(loop)) {
    poll_before(r, while_loop->getCond());
  } else if (const auto* do_loop = dyn_cast<clang::DoStmt>(loop)) {
    poll_before(r, do_loop->getCond());
  } else if (const auto* for_loop = dyn_cast<clang::ForStmt>(loop)) {
    if (for_loop->getCond() != nullptr) return poll_before(r, for_loop->getCond());
    if (for_loop->getInc() != nullptr) return r.to.wrap(for_loop->getInc()->getSourceRange(), "eulash_poll(), ", "");
    r.to.insert_before(for_loop->getRParenLoc(), "eulash_poll()");
  }
}

}  // namespace eulash
