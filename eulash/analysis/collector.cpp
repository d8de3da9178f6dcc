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
                                  variable->hasLocalStorage() ? function_ : -1});
  return f_.variables[key] = o;
}

void collector::add_function(const clang::FunctionDecl* function) {
  const int number = function_of(function);
  if (!function->doesThisDeclarationHaveABody()) return;
  function_facts& known = f_.functions[static_cast<std::size_t>(number)];
  known.defined = true;
  known.at = p_.place_of(function->getLocation());
  function_ = number;
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
  assigned_to_ = variable->getNameAsString();
  f_.values.copy(value_of(variable->getInit()), f_.values.held_by(o));
}

void collector::sizes(clang::QualType type) {
  sizes_in(type, [&](const clang::Expr* size) { value_of(size); });
}

void collector::statement(const clang::Stmt* s) {
  if (s == nullptr) return;
  if (const auto* e = dyn_cast<clang::Expr>(s)) {
    assigned_to_.clear();
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
    f_.values.copy(v, f_.functions[static_cast<std::size_t>(function_)].result);
  } else {
    for (const clang::Stmt* child : s->children()) statement(child);
  }
}

value collector::joined(value a, value b) {
  if (a == 0 || b == 0) return a + b;
  const value both = f_.values.fresh();
  f_.values.copy(a, both);
  f_.values.copy(b, both);
  return both;
}

value collector::address(const located& l) {
  if (l.direct < 0) return l.pointer;
  const value v = f_.values.fresh();
  f_.values.point(v, l.direct);
  return v;
}

void collector::access(const located& l, bool writes, const clang::Expr* at) {
  if (l.direct < 0 && l.pointer == 0) return;
  f_.accesses.push_back({function_, l.direct, l.pointer, writes, p_.place_of(at->getExprLoc())});
}

value collector::read(const located& l, const clang::Expr* at) {
  access(l, false, at);
  if (l.direct >= 0) return f_.values.held_by(l.direct);
  const value v = f_.values.fresh();
  f_.values.load(l.pointer, v);
  return v;
}

void collector::write(const located& l, value v, const clang::Expr* at) {
  access(l, true, at);
  if (l.direct >= 0) return f_.values.copy(v, f_.values.held_by(l.direct));
  f_.values.store(l.pointer, v);
}

// Remembered by where it stands: the rewriting asks where it leads.
value collector::pointer_value(const clang::Expr* pointer) {
  const value v = f_.values.fresh();
  f_.values.copy(value_of(pointer), v);
  value& known = f_.pointers[key_of(p_, pointer)];
  known = joined(known, v);
  return v;
}

collector::located collector::locate(const clang::Expr* lvalue) {
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
                                  p_.place_of(e->getExprLoc()), function_});
  const auto* literal = dyn_cast<clang::CompoundLiteralExpr>(e);
  f_.values.copy(value_of(literal != nullptr ? literal->getInitializer() : e), f_.values.held_by(o));
  return {o, 0};
}

value collector::value_of_cast(const clang::CastExpr* e) {
  if (const auto* written = dyn_cast<clang::ExplicitCastExpr>(e)) sizes(written->getTypeAsWritten());
  switch (e->getCastKind()) {
    case clang::CK_LValueToRValue:
      return read(locate(e->getSubExpr()), e->getSubExpr());
    case clang::CK_ArrayToPointerDecay:
      return address(locate(e->getSubExpr()));
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
      return address(locate(e->getSubExpr()));
    case clang::UO_PreInc:
    case clang::UO_PostInc:
    case clang::UO_PreDec:
    case clang::UO_PostDec: {
      const located l = locate(e->getSubExpr());
      access(l, true, e->getSubExpr());
      return read(l, e->getSubExpr());
    }
    default:
      return value_of(e->getSubExpr());
  }
}

value collector::value_of_operator(const clang::BinaryOperator* e) {
  if (e->isAssignmentOp()) {
    const located l = locate(e->getLHS());
    assigned_to_ = clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(e->getLHS()->getSourceRange()),
                                               p_.sources(), p_.ast.getLangOpts())
                       .str();
    const value v = value_of(e->getRHS());
    if (e->isCompoundAssignmentOp()) read(l, e->getLHS());
    write(l, v, e->getLHS());
    return e->isCompoundAssignmentOp() ? joined(v, read(l, e->getLHS())) : v;
  }
  const value left = value_of(e->getLHS()), right = value_of(e->getRHS());
  if (e->getOpcode() == clang::BO_Comma) return right;
  if (e->isLogicalOp() || e->isComparisonOp()) return 0;
  return joined(left, right);
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
    return function != nullptr ? address({f_.object_of_function(function_of(function)), 0}) : 0;
  }
  if (const auto* generic = dyn_cast<clang::GenericSelectionExpr>(e)) return value_of(generic->getResultExpr());
  if (const auto* choose = dyn_cast<clang::ChooseExpr>(e)) return value_of(choose->getChosenSubExpr());
  if (const auto* either = dyn_cast<clang::ConditionalOperator>(e)) {
    value_of(either->getCond());
    const value yes = value_of(either->getTrueExpr());
    return joined(yes, value_of(either->getFalseExpr()));
  }
  if (const auto* either = dyn_cast<clang::BinaryConditionalOperator>(e)) {
    const value yes = value_of(either->getCommon());
    return joined(yes, value_of(either->getFalseExpr()));
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
    return joined(passed, f_.functions[static_cast<std::size_t>(function_)].others);
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
    if (const auto* inner = llvm::dyn_cast_or_null<clang::Expr>(child)) all = joined(all, value_of(inner));
  return all;
}

value collector::value_of_atomic(const clang::AtomicExpr* e) {
  const value pointer = pointer_value(e->getPtr());
  access({-1, pointer}, true, e);
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
    stored = joined(stored, v);
    // The address of a value that is expected, stored or taken.
    if (!by_address && !(e->isCmpXChg() && other == e->getVal1())) continue;
    access({-1, v}, true, e);
    f_.values.store(v, now);
    const value there = f_.values.fresh();
    f_.values.load(v, there);
    stored = joined(stored, there);
  }
  f_.values.store(pointer, stored);
  return joined(now, stored);
}

namespace {

// What an argument of another type than a pointer's holds is no address.
std::vector<value> pointers_among(const clang::CallExpr* e, std::vector<value> arguments) {
  for (unsigned k = 0; k != e->getNumArgs(); ++k)
    if (!e->getArg(k)->getType()->isPointerType()) arguments[k] = 0;
  return arguments;
}

}  // namespace

// What the compiler knows itself. Nothing: a function of the library's by another name, or a stranger.
std::optional<value> collector::call_builtin(const std::string& name, const clang::CallExpr* e,
                                             const std::vector<value>& arguments) {
  const auto begins = [&](const char* with) { return llvm::StringRef(name).starts_with(with); };
  if (begins("__builtin_alloca")) {
    return address({f_.add_object({object_kind::local, assigned_to_, "memory of alloca()", p_.place_of(e->getExprLoc()),
                                   function_}),
                    0});
  }
  if (begins("__builtin_va_")) {
    // Whoever gets the list may read and write what the caller has passed.
    const value passed = f_.functions[static_cast<std::size_t>(function_)].others;
    f_.values.store(arguments[0], passed);
    if (begins("__builtin_va_copy")) f_.values.copy_contents(arguments[1], arguments[0]);
    access({-1, passed}, true, e);
    return 0;
  }
  if (begins("__sync_") || begins("__atomic_")) {
    value stored = 0;
    for (std::size_t k = 1; k < arguments.size(); ++k) stored = joined(stored, arguments[k]);
    if (arguments.empty()) return 0;
    access({-1, arguments[0]}, true, e);
    f_.values.store(arguments[0], stored);
    const value now = f_.values.fresh();
    f_.values.load(arguments[0], now);
    return joined(now, stored);
  }
  for (unsigned k = 0; k != e->getNumArgs(); ++k)
    if (e->getArg(k)->getType()->isPointerType()) return std::nullopt;
  value all = 0;
  for (const value v : arguments) all = joined(all, v);
  return all;
}

value collector::value_of_call(const clang::CallExpr* e) {
  const clang::FunctionDecl* callee = e->getDirectCallee();
  const std::string for_whom = assigned_to_;
  std::vector<value> arguments;
  for (const clang::Expr* argument : e->arguments()) arguments.push_back(value_of(argument));
  assigned_to_ = for_whom;
  const value result = f_.values.fresh();
  if (callee == nullptr) {
    f_.pointer_calls.push_back({function_, value_of(e->getCallee()), arguments, result, false, {}});
    return result;
  }
  const std::string name = callee->getNameAsString();
  if (callee->getBuiltinID() != 0 && llvm::StringRef(name).starts_with("__")) {
    if (const std::optional<value> done = call_builtin(name, e, arguments)) return *done;
  }
  const bool users = p_.is_users(callee->getLocation());
  if (!users || (callee->getBuiltinID() != 0 && !callee->hasBody())) {
    if (const library_function* known = find_library_function(name)) {
      for (unsigned k = 0; k != e->getNumArgs(); ++k) {
        value& pointer = f_.pointers[key_of(p_, e->getArg(k))];
        pointer = joined(pointer, arguments[k]);
      }
      return call_library(*known, e, arguments);
    }
  }
  const int to = function_of(callee);
  f_.functions[static_cast<std::size_t>(function_)].callees.insert(to);
  const function_facts& known = f_.functions[static_cast<std::size_t>(to)];
  for (std::size_t k = 0; k != arguments.size(); ++k)
    f_.values.copy(arguments[k], k < known.parameters.size() ? known.parameters[k] : known.others);
  f_.values.copy(known.result, result);
  // Whether the program has its text shows when all files are read.
  f_.outside_calls.push_back({name, p_.place_of(e->getExprLoc()), pointers_among(e, arguments),
                              e->getType()->isPointerType() ? result : 0, to});
  return result;
}

value collector::allocate(const clang::CallExpr* e) {
  object_facts site{object_kind::heap, assigned_to_, "", p_.place_of(e->getExprLoc()), function_};
  const object o = f_.add_object(std::move(site));
  f_.sites[key_of(p_, e)] = o;
  return address({o, 0});
}

value collector::call_library(const library_function& callee, const clang::CallExpr* e,
                              const std::vector<value>& arguments) {
  if (callee.kind == call_kind::threads) {
    const value special = call_threads(e->getDirectCallee()->getNameAsString(), e, arguments);
    if (special != 0) return special;
    if (callee.effect == "w0+")
      for (const value v : arguments) f_.synchronised.push_back(v);
  }
  if (callee.kind == call_kind::plain)
    f_.outside_calls.push_back(
        {std::string(callee.name), p_.place_of(e->getExprLoc()), pointers_among(e, arguments), 0, -1});
  value result = 0;
  std::string_view left = callee.effect;
  while (!left.empty()) {
    const std::string_view word = left.substr(0, left.find(' '));
    left.remove_prefix(std::min(left.size(), word.size() + 1));
    if (word == "=new") {
      const value made = allocate(e);
      if (callee.name == "realloc" && !arguments.empty()) f_.values.copy_contents(arguments[0], made);
      result = joined(result, made);
    } else if (word == "=lib") {
      result = joined(result, address({f_.library, 0}));
    } else if (word.starts_with("=*")) {
      const value held = f_.values.fresh();
      f_.values.load(arguments.at(static_cast<std::size_t>(word[2] - '0')), held);
      result = joined(result, held);
    } else if (word[0] == '=') {
      const std::size_t k = static_cast<std::size_t>(word[1] - '0');
      if (k < arguments.size()) result = joined(result, arguments[k]);
    } else {
      apply(word, e, arguments);
    }
  }
  return result;
}

// A format that cannot be seen may.
bool collector::prints_addresses(const clang::Expr* format) const {
  const auto* text = llvm::dyn_cast<clang::StringLiteral>(format->IgnoreParenCasts());
  if (text == nullptr) return true;
  const llvm::StringRef s = text->getString();
  for (std::size_t i = s.find('%'); i != s.npos; i = s.find('%', i + 1)) {
    i = s.find_first_not_of("-+ #0123456789.*'", i + 1);
    if (i != s.npos && s[i] == 'p') return true;
  }
  return false;
}

void collector::apply(std::string_view word, const clang::CallExpr* e, const std::vector<value>& arguments) {
  const auto argument = [&](std::size_t at) {
    const auto k = static_cast<std::size_t>(word[at] - '0');
    return k < arguments.size() ? arguments[k] : 0;
  };
  switch (word[0]) {
    case 'r':
    case 'w': {
      const auto first = static_cast<std::size_t>(word[1] - '0');
      const std::size_t last = word.ends_with('+') ? arguments.size() : std::min(first + 1, arguments.size());
      for (std::size_t k = first; k < last; ++k) access({-1, arguments[k]}, word[0] == 'w', e);
      break;
    }
    case 'W': {
      const value behind = f_.values.fresh();
      f_.values.load(argument(1), behind);
      access({-1, behind}, true, e);
      break;
    }
    case 'n': {
      // It is of shared memory always, as the runtime allocates it.
      const value made = allocate(e);
      f_.told_outside.push_back(made);
      f_.values.store(argument(1), made);
      access({-1, argument(1)}, true, e);
      break;
    }
    case 'c':
      f_.values.copy_contents(argument(3), argument(1));
      break;
    case 's':
      f_.values.store(argument(1), argument(3));
      break;
    case 'o':
      f_.told_outside.push_back(f_.values.fresh());
      f_.values.load(argument(1), f_.told_outside.back());
      break;
    case 'p':
      if (const auto first = static_cast<std::size_t>(word[1] - '0');
          prints_addresses(e->getArg(static_cast<unsigned>(first - 1))))
        f_.told_outside.insert(f_.told_outside.end(), arguments.begin() + static_cast<std::ptrdiff_t>(first),
                               arguments.end());
      break;
    case 'f':
      f_.pointer_calls.push_back({function_, argument(1), {argument(3), argument(5)}, 0, false, {}});
      break;
    default:
      break;
  }
}

value collector::call_threads(const std::string& name, const clang::CallExpr* e, const std::vector<value>& arguments) {
  const auto argument = [&](std::size_t k) { return k < arguments.size() ? arguments[k] : 0; };
  if (name == "pthread_create") {
    f_.pointer_calls.push_back({function_, argument(2), {argument(3)}, 0, true, {}});
    f_.passed_to_threads.push_back(argument(3));
  } else if (name == "pthread_join") {
    f_.values.store(argument(1), f_.returned_by_threads);
    access({-1, argument(1)}, true, e);
  } else if (name == "pthread_exit") {
    f_.values.copy(argument(0), f_.returned_by_threads);
  } else if (name == "pthread_setspecific") {
    f_.values.copy(argument(1), f_.specific);
  } else if (name == "pthread_getspecific") {
    return f_.specific;
  } else if (name == "pthread_key_create") {
    f_.pointer_calls.push_back({function_, argument(1), {f_.specific}, 0, true, {}});
  } else if (name == "pthread_once") {
    f_.pointer_calls.push_back({function_, argument(1), {}, 0, false, {}});
  }
  return 0;
}

}  // namespace eulash
