#include "eulash/analysis/collector.hpp"

#include <clang/Lex/Lexer.h>
#include <fmt/format.h>

#include <charconv>

#include "eulash/source/walk.hpp"

namespace eulash {

using llvm::dyn_cast;
using llvm::isa;

void collect(const parsed& p, facts& to) {
  collector c(p, to);
  for (const clang::Decl* d : p.declarations()) {
    if (const auto* function = dyn_cast<clang::FunctionDecl>(d)) c.add_function(function);
    if (const auto* variable = dyn_cast<clang::VarDecl>(d)) c.add_variable(variable);
  }
}

int collector::function_of(const clang::FunctionDecl* function) {
  const int number = f_.function_named(key_of(p_, function));
  function_facts& known = f_.functions[static_cast<std::size_t>(number)];
  if (known.name.empty()) {
    known.name = function->getNameAsString();
    known.at = p_.place_of(function->getLocation());
  }
  while (known.parameters.size() < function->getNumParams()) known.parameters.push_back(f_.values.fresh());
  return number;
}

object collector::object_of(const clang::VarDecl* variable) {
  const std::string key = key_of(p_, variable);
  const auto found = f_.variables.find(key);
  if (found != f_.variables.end()) return found->second;
  // What the library's headers declare, as stdout, leads to memory of the library's; one of them to a word of argv.
  if (!p_.is_users(variable->getLocation()) && variable->getName() == "optarg") {
    const object o = f_.add_object({object_kind::constant, "optarg", "char *", {}});
    f_.values.point(f_.values.held_by(o), f_.arguments);
    return f_.variables[key] = o;
  }
  if (!p_.is_users(variable->getLocation())) return f_.variables[key] = f_.library;
  // What each thread has its own of is as a local of the function that it executes first.
  const bool of_call = variable->hasLocalStorage() || variable->getTLSKind() != clang::VarDecl::TLS_None;
  const object o = f_.add_object({of_call ? object_kind::local : object_kind::variable, variable->getNameAsString(),
                                  variable->getType().getAsString(), p_.place_of(variable->getLocation()),
                                  variable->hasLocalStorage() ? to_.function : -1});
  return f_.variables[key] = o;
}

void collector::add_function(const clang::FunctionDecl* function) {
  const int number = function_of(function);
  if (!function->doesThisDeclarationHaveABody()) return;
  function_facts& known = f_.functions[static_cast<std::size_t>(number)];
  known.defined = true;
  known.at = p_.place_of(function->getLocation());
  to_.function = number;
  for (unsigned k = 0; k != function->getNumParams(); ++k) {
    const object o = object_of(function->getParamDecl(k));
    f_.values.copy(f_.functions[static_cast<std::size_t>(number)].parameters[k], f_.values.held_by(o));
    // Where it was declared without its parameters, nobody knew that these arguments were theirs.
    if (!function->isVariadic())
      f_.values.copy(f_.functions[static_cast<std::size_t>(number)].others, f_.values.held_by(o));
    sizes(function->getParamDecl(k)->getOriginalType());
    if (function->isMain() && k > 0) f_.values.point(f_.values.held_by(o), f_.arguments);
  }
  statement(function->getBody());
}

void collector::add_variable(const clang::VarDecl* variable) {
  const object o = object_of(variable);
  const clang::Expr* const first = variable->getInit();
  if (first == nullptr) return;
  const value v = value_of(first);
  f_.values.copy(v, f_.values.held_by(o));
  bool addresses = false;
  walk(first, [&](const clang::Stmt* s) {
    if (const auto* name = dyn_cast<clang::DeclRefExpr>(s)) addresses |= isa<clang::VarDecl>(name->getDecl());
  });
  if (addresses) f_.objects[static_cast<std::size_t>(o)].has_first_value_of_addresses = true;
}

void collector::declare(const clang::VarDecl* variable) {
  if (variable->isStaticLocal() || variable->hasExternalStorage()) return add_variable(variable);
  sizes(variable->getType());
  const object o = object_of(variable);
  if (!variable->hasInit()) return;
  to_.assigned_to = variable->getNameAsString();
  f_.values.copy(value_of(variable->getInit()), f_.values.held_by(o));
}

void collector::sizes(clang::QualType type) {
  sizes_in(type, [&](const clang::Expr* size) { value_of(size); });
}

void collector::statement(const clang::Stmt* s) {
  if (s == nullptr) return;
  if (const auto* e = dyn_cast<clang::Expr>(s)) {
    to_.assigned_to.clear();
    value_of(e);
  } else if (const auto* declarations = dyn_cast<clang::DeclStmt>(s)) {
    for (const clang::Decl* d : declarations->decls())
      if (const auto* variable = dyn_cast<clang::VarDecl>(d)) {
        declare(variable);
      } else if (const auto* alias = dyn_cast<clang::TypedefNameDecl>(d)) {
        sizes(alias->getUnderlyingType());
      }
  } else if (const auto* back = dyn_cast<clang::ReturnStmt>(s)) {
    if (back->getRetValue() == nullptr) return;
    const value v = value_of(back->getRetValue());
    f_.values.copy(v, f_.functions[static_cast<std::size_t>(to_.function)].result);
  } else {
    for (const clang::Stmt* child : s->children()) statement(child);
  }
}

// Remembered by where it stands: the rewriting asks where it leads.
value collector::pointer_value(const clang::Expr* pointer) {
  const value v = f_.values.fresh();
  f_.values.copy(value_of(pointer), v);
  value& known = f_.pointers[key_of(p_, pointer)];
  known = to_.joined(known, v);
  return v;
}

located collector::locate(const clang::Expr* lvalue) {
  const clang::Expr* e = lvalue->IgnoreParens();
  if (const auto* element = dyn_cast<clang::ArraySubscriptExpr>(e)) {
    value_of(element->getIdx());
    if (const clang::Expr* array = array_of(element->getBase())) return locate(array);
    return {-1, pointer_value(element->getBase())};
  }
  if (const auto* name = dyn_cast<clang::DeclRefExpr>(e)) {
    if (const auto* variable = dyn_cast<clang::VarDecl>(name->getDecl())) return {object_of(variable), 0};
    return {};
  }
  if (const auto* member = dyn_cast<clang::MemberExpr>(e)) {
    if (const clang::Expr* array = member->isArrow() ? array_of(member->getBase()) : nullptr) return locate(array);
    if (member->isArrow()) return {-1, pointer_value(member->getBase())};
    if (member->getBase()->isGLValue()) return locate(member->getBase());
  } else if (const auto* unary = dyn_cast<clang::UnaryOperator>(e)) {
    if (unary->getOpcode() != clang::UO_Deref) return locate(unary->getSubExpr());
    if (const clang::Expr* array = array_of(unary->getSubExpr())) return locate(array);
    return {-1, pointer_value(unary->getSubExpr())};
  } else if (const auto* cast = dyn_cast<clang::CastExpr>(e); cast != nullptr && cast->getSubExpr()->isGLValue()) {
    return locate(cast->getSubExpr());
  } else if (isa<clang::StringLiteral, clang::PredefinedExpr>(e)) {
    return {f_.library, 0};
  }
  // A value without a name: memory of its own, on the stack.
  const object o = f_.add_object({object_kind::local, "a value without a name", e->getType().getAsString(),
                                  p_.place_of(e->getExprLoc()), to_.function});
  const auto* literal = dyn_cast<clang::CompoundLiteralExpr>(e);
  f_.values.copy(value_of(literal != nullptr ? literal->getInitializer() : e), f_.values.held_by(o));
  return {o, 0};
}

value collector::value_of_cast(const clang::CastExpr* e) {
  if (const auto* written = dyn_cast<clang::ExplicitCastExpr>(e)) sizes(written->getTypeAsWritten());
  switch (e->getCastKind()) {
    case clang::CK_LValueToRValue:
      return to_.read(locate(e->getSubExpr()), e->getSubExpr());
    case clang::CK_ArrayToPointerDecay:
      return to_.address(locate(e->getSubExpr()));
    default:
      return value_of(e->getSubExpr());
  }
}

value collector::value_of_unary(const clang::UnaryOperator* e) {
  switch (e->getOpcode()) {
    case clang::UO_AddrOf:
      if (const auto* name = dyn_cast<clang::DeclRefExpr>(e->getSubExpr()->IgnoreParens());
          name != nullptr && isa<clang::FunctionDecl>(name->getDecl()))
        return value_of(name);
      return to_.address(locate(e->getSubExpr()));
    case clang::UO_PreInc:
    case clang::UO_PostInc:
    case clang::UO_PreDec:
    case clang::UO_PostDec: {
      const located l = locate(e->getSubExpr());
      to_.access(l, true, e->getSubExpr());
      return to_.read(l, e->getSubExpr());
    }
    default:
      return value_of(e->getSubExpr());
  }
}

value collector::value_of_operator(const clang::BinaryOperator* e) {
  if (e->isAssignmentOp()) {
    const located l = locate(e->getLHS());
    to_.assigned_to = clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(e->getLHS()->getSourceRange()),
                                                  p_.sources(), p_.ast.getLangOpts())
                          .str();
    const value v = value_of(e->getRHS());
    if (e->isCompoundAssignmentOp()) to_.read(l, e->getLHS());
    to_.write(l, v, e->getLHS());
    return e->isCompoundAssignmentOp() ? to_.joined(v, to_.read(l, e->getLHS())) : v;
  }
  const value left = value_of(e->getLHS()), right = value_of(e->getRHS());
  if (e->getOpcode() == clang::BO_Comma) return right;
  if (e->isLogicalOp() || e->isComparisonOp()) return 0;
  return to_.joined(left, right);
}

value collector::value_of(const clang::Expr* e) {
  if (e == nullptr) return 0;
  if (const auto* list = dyn_cast<clang::InitListExpr>(e); list != nullptr && list->getSemanticForm() != nullptr)
    e = list->getSemanticForm();
  if (const auto* inner = dyn_cast<clang::ParenExpr>(e)) return value_of(inner->getSubExpr());
  if (const auto* cast = dyn_cast<clang::CastExpr>(e)) return value_of_cast(cast);
  if (const auto* unary = dyn_cast<clang::UnaryOperator>(e)) return value_of_unary(unary);
  if (const auto* binary = dyn_cast<clang::BinaryOperator>(e)) return value_of_operator(binary);
  if (const auto* call = dyn_cast<clang::CallExpr>(e)) return value_of_call(call);
  if (const auto* atomic = dyn_cast<clang::AtomicExpr>(e)) return value_of_atomic(atomic);
  if (const auto* name = dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* function = dyn_cast<clang::FunctionDecl>(name->getDecl());
    return function != nullptr ? to_.address({f_.object_of_function(function_of(function)), 0}) : 0;
  }
  if (const auto* generic = dyn_cast<clang::GenericSelectionExpr>(e)) return value_of(generic->getResultExpr());
  if (const auto* choose = dyn_cast<clang::ChooseExpr>(e)) return value_of(choose->getChosenSubExpr());
  if (const auto* either = dyn_cast<clang::ConditionalOperator>(e)) {
    value_of(either->getCond());
    const value yes = value_of(either->getTrueExpr());
    return to_.joined(yes, value_of(either->getFalseExpr()));
  }
  if (const auto* either = dyn_cast<clang::BinaryConditionalOperator>(e)) {
    const value yes = value_of(either->getCommon());
    return to_.joined(yes, value_of(either->getFalseExpr()));
  }
  if (const auto* block = dyn_cast<clang::StmtExpr>(e)) {
    value last = 0;
    for (const clang::Stmt* s : block->getSubStmt()->body()) {
      const auto* expression = dyn_cast<clang::Expr>(s);
      last = expression != nullptr ? value_of(expression) : 0;
      if (expression == nullptr) statement(s);
    }
    return last;
  }
  if (const auto* next = dyn_cast<clang::VAArgExpr>(e)) {
    // What the list holds was passed to who has begun it.
    const value passed = f_.values.fresh();
    f_.values.load(value_of(next->getSubExpr()), passed);
    return to_.joined(passed, f_.functions[static_cast<std::size_t>(to_.function)].others);
  }
  if (const auto* trait = dyn_cast<clang::UnaryExprOrTypeTraitExpr>(e)) {
    if (trait->isArgumentType()) sizes(trait->getArgumentType());
    return 0;
  }
  if (isa<clang::OffsetOfExpr, clang::OpaqueValueExpr>(e)) return 0;
  if (const auto* constant = dyn_cast<clang::ConstantExpr>(e)) return value_of(constant->getSubExpr());
  if (const auto* member = dyn_cast<clang::MemberExpr>(e)) return value_of(member->getBase());
  value all = 0;
  for (const clang::Stmt* child : e->children())
    if (const auto* inner = llvm::dyn_cast_or_null<clang::Expr>(child)) all = to_.joined(all, value_of(inner));
  return all;
}

value collector::value_of_atomic(const clang::AtomicExpr* e) {
  const value pointer = pointer_value(e->getPtr());
  to_.access({-1, pointer}, true, e);
  const value now = f_.values.fresh();
  f_.values.load(pointer, now);
  const clang::AtomicExpr::AtomicOp op = e->getOp();
  const bool by_address = op == clang::AtomicExpr::AO__atomic_load || op == clang::AtomicExpr::AO__atomic_store ||
                          op == clang::AtomicExpr::AO__atomic_exchange ||
                          op == clang::AtomicExpr::AO__atomic_compare_exchange;
  value stored = 0;
  for (unsigned k = 1; k < e->getNumSubExprs(); ++k) {
    const clang::Expr* const other = e->getSubExprs()[k];
    if (other == nullptr || other == e->getPtr()) continue;
    const value v = value_of(other);
    stored = to_.joined(stored, v);
    // The address of a value that is expected, stored or taken.
    if (!by_address && !(e->isCmpXChg() && other == e->getVal1())) continue;
    to_.access({-1, v}, true, e);
    f_.values.store(v, now);
    const value there = f_.values.fresh();
    f_.values.load(v, there);
    stored = to_.joined(stored, there);
  }
  f_.values.store(pointer, stored);
  return to_.joined(now, stored);
}

value collector::value_of_call(const clang::CallExpr* e) {
  const clang::FunctionDecl* callee = e->getDirectCallee();
  const std::string for_whom = to_.assigned_to;
  std::vector<value> arguments;
  for (const clang::Expr* argument : e->arguments()) arguments.push_back(value_of(argument));
  to_.assigned_to = for_whom;
  const value result = f_.values.fresh();
  if (callee == nullptr) {
    f_.pointer_calls.push_back({to_.function, value_of(e->getCallee()), arguments, result, false, {}});
    return result;
  }
  const std::string name = callee->getNameAsString();
  if (callee->getBuiltinID() != 0 && llvm::StringRef(name).starts_with("__")) {
    if (const std::optional<value> done = library_.call_builtin(name, e, arguments)) return *done;
  }
  const bool users = p_.is_users(callee->getLocation());
  if (!users || (callee->getBuiltinID() != 0 && !callee->hasBody())) {
    if (const library_function* known = find_library_function(name)) {
      for (unsigned k = 0; k != e->getNumArgs(); ++k) {
        value& pointer = f_.pointers[key_of(p_, e->getArg(k))];
        pointer = to_.joined(pointer, arguments[k]);
      }
      return library_.call(*known, e, arguments);
    }
  }
  const int to = function_of(callee);
  f_.functions[static_cast<std::size_t>(to_.function)].callees.insert(to);
  const function_facts& known = f_.functions[static_cast<std::size_t>(to)];
  for (std::size_t k = 0; k != arguments.size(); ++k)
    f_.values.copy(arguments[k], k < known.parameters.size() ? known.parameters[k] : known.others);
  f_.values.copy(known.result, result);
  // Whether the program has its text shows when all files are read.
  f_.outside_calls.push_back({name, p_.place_of(e->getExprLoc()), pointers_among(e, arguments),
                              e->getType()->isPointerType() ? result : 0, to});
  return result;
}

}  // namespace eulash
