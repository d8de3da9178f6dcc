#include "eulash/rewrite/rewriter.hpp"

#include <clang/Lex/Lexer.h>

#include <set>

#include "eulash/rewrite/held_functions.hpp"
#include "eulash/rewrite/parts.hpp"
#include "eulash/source/walk.hpp"

namespace eulash {
namespace {

using llvm::dyn_cast;
using llvm::isa;

// The expressions of a function whose values nobody looks at, and the names that are called.
struct notes {
  std::set<const clang::Stmt*> discarded, called;

  void discard(const clang::Stmt* s) {
    if (s != nullptr && isa<clang::LabelStmt>(s)) discarded.insert(s);
    if (const auto* e = llvm::dyn_cast_or_null<clang::Expr>(s)) discarded.insert(e->IgnoreParens());
  }
  void note(const clang::Stmt* s) {
    if (isa<clang::CompoundStmt>(s)) {
      for (const clang::Stmt* child : s->children()) discard(child);
    } else if (const auto* loop = dyn_cast<clang::ForStmt>(s)) {
      for (const clang::Stmt* child :
           {loop->getInit(), static_cast<const clang::Stmt*>(loop->getInc()), loop->getBody()})
        discard(child);
    } else if (const auto* branch = dyn_cast<clang::IfStmt>(s)) {
      discard(branch->getThen());
      discard(branch->getElse());
    } else if (const auto* while_loop = dyn_cast<clang::WhileStmt>(s)) {
      discard(while_loop->getBody());
    } else if (const auto* call = dyn_cast<clang::CallExpr>(s)) {
      called.insert(call->getCallee()->IgnoreParenImpCasts());
    }
  }
};

void rewrite_statement(const rewriting& r, const clang::Stmt* s, notes& known, const clang::Stmt* function) {
  known.note(s);
  if (const auto* name = dyn_cast<clang::DeclRefExpr>(s)) {
    rewrite_name(r, name);
    rewrite_function_name(r, name, known.called.contains(name));
  } else if (const auto* e = dyn_cast<clang::Expr>(s)) {
    rewrite_access(r, e, known.discarded.contains(e));
    if (const auto* call = dyn_cast<clang::CallExpr>(e)) rewrite_call(r, call);
  } else if (const auto* declarations = dyn_cast<clang::DeclStmt>(s)) {
    for (const clang::Decl* d : declarations->decls())
      if (const auto* variable = dyn_cast<clang::VarDecl>(d)) rewrite_declaration(r, variable);
  } else if (isa<clang::WhileStmt, clang::DoStmt, clang::ForStmt>(s) || known.discarded.contains(s)) {
    rewrite_runs(r, s, function);
    rewrite_loop(r, s);
  }
}

// The sizes of parameters that are arrays stand where no statement may.
void rewrite_parameters(const rewriting& r, const clang::FunctionDecl* function) {
  const auto look = [&](const clang::Stmt* s) {
    if (const auto* name = dyn_cast<clang::DeclRefExpr>(s)) rewrite_name(r, name);
    const auto* cast = dyn_cast<clang::CastExpr>(s);
    const bool loads = cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue;
    if (loads && is_wrapped(r, cast->getSubExpr()) && cast->getType()->isScalarType() &&
        !cast->getType()->isFloatingType() && !cast->getSubExpr()->refersToBitField() &&
        !cast->getSubExpr()->getType()->isAtomicType())
      return r.to.wrap(cast->getSubExpr()->getSourceRange(), "EULASH_LOAD_SIZE(", ")");
    const auto* binary = dyn_cast<clang::BinaryOperator>(s);
    const auto* unary = dyn_cast<clang::UnaryOperator>(s);
    const bool stores = (binary != nullptr && binary->isAssignmentOp()) || (unary && unary->isIncrementDecrementOp());
    if ((loads && is_wrapped(r, cast->getSubExpr())) || stores || isa<clang::CallExpr>(s))
      r.refuse(s->getBeginLoc(), "what the size of a parameter does", "it stands outside of the function's statements",
               "give the function that size as a parameter");
  };
  for (const clang::ParmVarDecl* parameter : function->parameters())
    sizes_in(parameter->getOriginalType(), [&](const clang::Expr* size) { walk(size, look); });
}

// The library calls it with two arguments, whatever it declares; and C lets it end without a return.
void rewrite_main(const rewriting& r, const clang::FunctionDecl* function) {
  r.to.replace(function->getLocation(), "eulash_main");
  if (function->getNumParams() == 0) {
    const clang::SourceManager& sources = r.p.sources();
    const clang::LangOptions& language = r.p.ast.getLangOpts();
    const auto open = clang::Lexer::findNextToken(function->getLocation(), sources, language);
    const auto next = open ? clang::Lexer::findNextToken(open->getLocation(), sources, language) : std::nullopt;
    if (!next) return;
    const std::string parameters =
        "__attribute__((unused)) int eulash_argc, __attribute__((unused)) char** eulash_argv";
    if (next->is(clang::tok::r_paren)) {
      r.to.insert_before(next->getLocation(), parameters);
    } else {
      r.to.replace(next->getLocation(), parameters);
    }
  } else if (function->getNumParams() != 2) {
    r.refuse(function->getLocation(), "main with these parameters", "it gets the number of its arguments and them",
             "write int main(int argc, char** argv), and read the environment by getenv()");
  }
  if (const auto* body = dyn_cast<clang::CompoundStmt>(function->getBody()))
    r.to.insert_before(body->getRBracLoc(), " return 0; ");
}

}  // namespace

void rewrite(const parsed& p, const decisions& d, editor& to, std::vector<refusal>& refused) {
  held_functions held;
  const rewriting r{p, d, to, refused, held};
  for (const clang::Decl* declared : p.declarations()) {
    if (const auto* variable = dyn_cast<clang::VarDecl>(declared)) rewrite_declaration(r, variable);
    const auto* function = dyn_cast<clang::FunctionDecl>(declared);
    if (function == nullptr || !function->doesThisDeclarationHaveABody()) continue;
    rewrite_parameters(r, function);
    notes known;
    walk(function->getBody(), [&](const clang::Stmt* s) { rewrite_statement(r, s, known, function->getBody()); });
    if (function->isMain()) rewrite_main(r, function);
  }
}

}  // namespace eulash
