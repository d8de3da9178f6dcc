#include "eulash/rewrite/held_functions.hpp"

#include <clang/AST/Attr.h>
#include <clang/Lex/Lexer.h>
#include <fmt/format.h>

#include <algorithm>

#include "eulash/rewrite/counted_loop.hpp"
#include "eulash/source/walk.hpp"

namespace eulash {

using llvm::dyn_cast;
using llvm::isa;

namespace {

// What might take long, leave the function, or mean something else in a copy.
bool is_hidden(const rewriting& r, const clang::Stmt* s) {
  if (isa<clang::ForStmt>(s)) return !is_short(r, s);
  return isa<clang::WhileStmt, clang::DoStmt, clang::LabelStmt, clang::GotoStmt, clang::IndirectGotoStmt,
             clang::StmtExpr, clang::AtomicExpr, clang::VAArgExpr, clang::AsmStmt, clang::GenericSelectionExpr,
             clang::PredefinedExpr, clang::AddrLabelExpr>(s);
}

// The name of the pointer that is followed to what the lvalue is a part of; null: it may lead elsewhere.
const clang::DeclRefExpr* pointer_under(const rewriting& r, const clang::Expr* lvalue) {
  for (const clang::Expr* e = lvalue->IgnoreParens();;) {
    const clang::Expr* pointer = nullptr;
    if (const auto* member = dyn_cast<clang::MemberExpr>(e)) {
      pointer = member->getBase();
      if (!member->isArrow()) {
        e = pointer->IgnoreParens();
        continue;
      }
    } else if (const auto* element = dyn_cast<clang::ArraySubscriptExpr>(e)) {
      const clang::Expr* array = array_of(element->getBase());
      if (array == nullptr || !has_fixed_size(r, array)) return nullptr;
      e = array->IgnoreParens();
      continue;
    } else if (const auto* followed = dyn_cast<clang::UnaryOperator>(e);
               followed != nullptr && followed->getOpcode() == clang::UO_Deref) {
      pointer = followed->getSubExpr();
    }
    if (pointer == nullptr || array_of(pointer) != nullptr) return nullptr;
    return dyn_cast<clang::DeclRefExpr>(pointer->IgnoreParenImpCasts());
  }
}

class body_reader {
 public:
  body_reader(const rewriting& r, const clang::FunctionDecl* f) : r_(r), f_(f) {}

  std::optional<held_function> read() {
    walk(f_->getBody(), [&](const clang::Stmt* s) { look_at(s); });
    // A pointer that is followed is used for nothing else: it would lead another one elsewhere.
    walk(f_->getBody(), [&](const clang::Stmt* s) {
      const auto* name = dyn_cast<clang::DeclRefExpr>(s);
      const std::optional<unsigned> number = name == nullptr ? std::nullopt : parameter(name);
      if (number && found_.followed.contains(*number) && !accounted_.contains(name)) plain_ = false;
    });
    return plain_ ? std::optional(found_) : std::nullopt;
  }

 private:
  std::optional<unsigned> parameter(const clang::DeclRefExpr* name) const {
    const auto* p = dyn_cast<clang::ParmVarDecl>(name->getDecl());
    return p == nullptr ? std::nullopt : std::optional(p->getFunctionScopeIndex());
  }

  void look_at(const clang::Stmt* s) {
    if (is_hidden(r_, s)) plain_ = false;
    if (const auto* call = dyn_cast<clang::CallExpr>(s)) look_at_call(call);
    if (const auto* name = dyn_cast<clang::DeclRefExpr>(s)) look_at_name(name);
    if (const auto* declared = dyn_cast<clang::DeclStmt>(s)) {
      for (const clang::Decl* d : declared->decls()) {
        const auto* variable = dyn_cast<clang::VarDecl>(d);
        plain_ = plain_ && variable != nullptr && variable->hasLocalStorage();
      }
    }
    if (const auto* cast = dyn_cast<clang::CastExpr>(s);
        cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue)
      look_at_access(cast->getSubExpr(), false);
    if (const auto* binary = dyn_cast<clang::BinaryOperator>(s); binary != nullptr && binary->isAssignmentOp())
      look_at_access(binary->getLHS(), true);
    if (const auto* unary = dyn_cast<clang::UnaryOperator>(s); unary != nullptr && unary->isIncrementDecrementOp())
      look_at_access(unary->getSubExpr(), true);
  }

  void look_at_name(const clang::DeclRefExpr* name) {
    const auto* variable = dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr || variable->hasLocalStorage()) return;
    if (decisions::is_own(variable) || r_.d.is_shared(r_.p, variable)) plain_ = false;
  }

  void look_at_access(const clang::Expr* lvalue, bool writes) {
    const clang::QualType type = lvalue->getType();
    const memory m = memory_of(lvalue);
    if (writes && (m.variable == nullptr || !m.variable->hasLocalStorage()))
      found_.stored.insert(type.getCanonicalType().getUnqualifiedType().getTypePtr());
    if (!is_wrapped(r_, lvalue)) return;
    const clang::DeclRefExpr* name = pointer_under(r_, lvalue);
    if (name == nullptr || type.isVolatileQualified() || type->isAtomicType() || lvalue->refersToBitField()) {
      plain_ = false;
    } else {
      follow(name, writes);
    }
  }

  void follow(const clang::DeclRefExpr* name, bool writes) {
    const std::optional<unsigned> number = parameter(name);
    if (!number) {
      plain_ = false;
      return;
    }
    found_.followed[*number] |= writes;
    accounted_.insert(name);
  }

  void look_at_call(const clang::CallExpr* call) {
    if (is_arithmetic(call)) return;
    const held_function* known = r_.held.find(r_, call);
    if (known == nullptr) {
      plain_ = false;
      return;
    }
    found_.callees.insert(call);
    found_.stored.insert(known->stored.begin(), known->stored.end());
    for (const auto& [k, writes] : known->followed) {
      if (r_.d.leads_to_private(r_.p, call->getArg(k))) continue;
      const auto* name = dyn_cast<clang::DeclRefExpr>(call->getArg(k)->IgnoreParenImpCasts());
      if (name == nullptr)
        plain_ = false;
      else
        follow(name, writes);
    }
  }

  const rewriting& r_;
  const clang::FunctionDecl* f_;
  held_function found_;
  std::set<const clang::DeclRefExpr*> accounted_;  // names of pointers where they are followed
  bool plain_ = true;
};

// Whether its text can stand twice: it is all in one file and makes nothing known but the function.
bool can_be_copied(const rewriting& r, const clang::FunctionDecl* f) {
  const bool is_ordinary = !f->isVariadic() && !f->isMain() && f->getAttrs().empty() && f->hasWrittenPrototype() &&
                           (f->getStorageClass() == clang::SC_Static || f->getStorageClass() == clang::SC_None);
  const bool is_text = f->getBeginLoc().isFileID() && f->getLocation().isFileID() && f->getEndLoc().isFileID();
  if (!is_ordinary || !is_text || !r.p.is_users(f->getLocation())) return false;
  const auto& sources = r.p.sources();
  if (sources.getFileID(f->getBeginLoc()) != sources.getFileID(f->getEndLoc())) return false;
  const clang::CharSourceRange before =
      clang::CharSourceRange::getCharRange(f->getBeginLoc(), f->getBody()->getBeginLoc());
  return !clang::Lexer::getSourceText(before, sources, r.p.ast.getLangOpts()).contains('{');
}

}  // namespace

const held_function* held_functions::find(const rewriting& r, const clang::CallExpr* call) {
  const auto* name = dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
  const auto* callee = name == nullptr ? nullptr : dyn_cast<clang::FunctionDecl>(name->getDecl());
  const clang::FunctionDecl* definition = callee == nullptr ? nullptr : callee->getDefinition();
  if (!r.d.is_proven() || definition == nullptr || name->getBeginLoc().isMacroID()) return nullptr;
  if (call->getNumArgs() != definition->getNumParams()) return nullptr;
  const auto& sources = r.p.sources();
  const clang::SourceLocation at = name->getBeginLoc();
  const bool is_before = sources.getFileID(definition->getEndLoc()) == sources.getFileID(at) &&
                         sources.getFileOffset(definition->getEndLoc()) < sources.getFileOffset(at);
  if (!is_before) return nullptr;
  const auto [known, is_new] = known_.try_emplace(definition);
  if (is_new && can_be_copied(r, definition)) known->second = body_reader(r, definition).read();
  return known->second ? &*known->second : nullptr;
}

std::string held_functions::name_of(const clang::FunctionDecl* f) {
  return fmt::format("eulash_held_{}", f->getNameAsString());
}

void held_functions::add_copy(const rewriting& r, const clang::FunctionDecl* f) {
  const clang::FunctionDecl* definition = f->getDefinition();
  if (!copied_.insert(definition).second) return;
  const auto& sources = r.p.sources();
  const clang::FileID file = sources.getFileID(definition->getBeginLoc());
  const unsigned begin = sources.getFileOffset(definition->getBeginLoc()),
                 end = sources.getFileOffset(definition->getEndLoc()) + 1;
  edits renamed;
  const auto rename = [&](clang::SourceLocation at, const clang::FunctionDecl* to) {
    const unsigned offset = sources.getFileOffset(at);
    renamed.replace("f", offset, offset + static_cast<unsigned>(to->getNameAsString().size()), name_of(to));
  };
  rename(definition->getLocation(), definition);
  for (const clang::CallExpr* call : known_.at(definition)->callees) {
    rename(call->getCallee()->IgnoreParenImpCasts()->getBeginLoc(), call->getDirectCallee());
    add_copy(r, call->getDirectCallee());
  }
  const std::string text = renamed.apply_within("f", sources.getBufferData(file).str(), begin, end);
  const place first = r.p.place_of(definition->getBeginLoc()), last = r.p.place_of(definition->getEndLoc());
  const bool is_static = definition->getStorageClass() == clang::SC_Static;
  r.to.wrap_offsets(file, end, end,
                    fmt::format("\n{}__attribute__((unused)) {}{}\n{}", line_directive(first.line, first.file),
                                is_static ? "" : "static ", text, line_directive(last.line, last.file)),
                    "");
}

bool is_arithmetic(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  return callee != nullptr && callee->getBuiltinID() != 0 && callee->hasAttr<clang::ConstAttr>() &&
         std::ranges::none_of(call->arguments(), [](const clang::Expr* a) { return a->getType()->isPointerType(); });
}

// One element at the end of a struct may stand for as many as were allocated.
bool has_fixed_size(const rewriting& r, const clang::Expr* array) {
  const clang::ConstantArrayType* type = r.p.ast.getAsConstantArrayType(array->getType());
  return type != nullptr && type->getSize().ugt(1);
}

}  // namespace eulash
