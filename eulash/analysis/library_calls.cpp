#include "eulash/analysis/library_calls.hpp"

#include <algorithm>

namespace eulash {

std::vector<value> pointers_among(const clang::CallExpr* e, std::vector<value> arguments) {
  for (unsigned k = 0; k != e->getNumArgs(); ++k)
    if (!e->getArg(k)->getType()->isPointerType()) arguments[k] = 0;
  return arguments;
}

value library_calls::call(const library_function& callee, const clang::CallExpr* e,
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
      const value made = to_.allocate(e);
      if (callee.name == "realloc" && !arguments.empty()) f_.values.copy_contents(arguments[0], made);
      result = to_.joined(result, made);
    } else if (word == "=lib") {
      result = to_.joined(result, to_.address({f_.library, 0}));
    } else if (word.starts_with("=*")) {
      const value held = f_.values.fresh();
      f_.values.load(arguments.at(static_cast<std::size_t>(word[2] - '0')), held);
      result = to_.joined(result, held);
    } else if (word[0] == '=') {
      const std::size_t k = static_cast<std::size_t>(word[1] - '0');
      if (k < arguments.size()) result = to_.joined(result, arguments[k]);
    } else {
      apply(word, e, arguments);
    }
  }
  return result;
}

// A format that cannot be seen may.
bool library_calls::prints_addresses(const clang::Expr* format) {
  const auto* text = llvm::dyn_cast<clang::StringLiteral>(format->IgnoreParenCasts());
  if (text == nullptr) return true;
  const llvm::StringRef s = text->getString();
  for (std::size_t i = s.find('%'); i != s.npos; i = s.find('%', i + 1)) {
    i = s.find_first_not_of("-+ #0123456789.*'", i + 1);
    if (i != s.npos && s[i] == 'p') return true;
  }
  return false;
}

void library_calls::apply(std::string_view word, const clang::CallExpr* e, const std::vector<value>& arguments) {
  const auto argument = [&](std::size_t at) {
    const auto k = static_cast<std::size_t>(word[at] - '0');
    return k < arguments.size() ? arguments[k] : 0;
  };
  switch (word[0]) {
    case 'r':
    case 'w': {
      const auto first = static_cast<std::size_t>(word[1] - '0');
      const std::size_t last = word.ends_with('+') ? arguments.size() : std::min(first + 1, arguments.size());
      for (std::size_t k = first; k < last; ++k) to_.access({-1, arguments[k]}, word[0] == 'w', e);
      break;
    }
    case 'W': {
      const value behind = f_.values.fresh();
      f_.values.load(argument(1), behind);
      to_.access({-1, behind}, true, e);
      break;
    }
    case 'n': {
      // It is of shared memory always, as the runtime allocates it.
      const value made = to_.allocate(e);
      f_.told_outside.push_back(made);
      f_.values.store(argument(1), made);
      to_.access({-1, argument(1)}, true, e);
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
      f_.pointer_calls.push_back({to_.function, argument(1), {argument(3), argument(5)}, 0, false, {}});
      break;
    default:
      break;
  }
}

value library_calls::call_threads(const std::string& name, const clang::CallExpr* e,
                                  const std::vector<value>& arguments) {
  const auto argument = [&](std::size_t k) { return k < arguments.size() ? arguments[k] : 0; };
  if (name == "pthread_create") {
    f_.pointer_calls.push_back({to_.function, argument(2), {argument(3)}, 0, true, {}});
    f_.passed_to_threads.push_back(argument(3));
  } else if (name == "pthread_join") {
    f_.values.store(argument(1), f_.returned_by_threads);
    to_.access({-1, argument(1)}, true, e);
  } else if (name == "pthread_exit") {
    f_.values.copy(argument(0), f_.returned_by_threads);
  } else if (name == "pthread_setspecific") {
    f_.values.copy(argument(1), f_.specific);
  } else if (name == "pthread_getspecific") {
    return f_.specific;
  } else if (name == "pthread_key_create") {
    f_.pointer_calls.push_back({to_.function, argument(1), {f_.specific}, 0, true, {}});
  } else if (name == "pthread_once") {
    f_.pointer_calls.push_back({to_.function, argument(1), {}, 0, false, {}});
  }
  return 0;
}

std::optional<value> library_calls::call_builtin(const std::string& name, const clang::CallExpr* e,
                                                 const std::vector<value>& arguments) {
  const auto begins = [&](const char* with) { return llvm::StringRef(name).starts_with(with); };
  if (begins("__builtin_alloca")) {
    return to_.address({f_.add_object({object_kind::local, to_.assigned_to, "memory of alloca()",
                                       p_.place_of(e->getExprLoc()), to_.function}),
                        0});
  }
  if (begins("__builtin_va_")) {
    // Whoever gets the list may read and write what the caller has passed.
    const value passed = f_.functions[static_cast<std::size_t>(to_.function)].others;
    f_.values.store(arguments[0], passed);
    if (begins("__builtin_va_copy")) f_.values.copy_contents(arguments[1], arguments[0]);
    to_.access({-1, passed}, true, e);
    return 0;
  }
  if (begins("__sync_") || begins("__atomic_")) {
    value stored = 0;
    for (std::size_t k = 1; k < arguments.size(); ++k) stored = to_.joined(stored, arguments[k]);
    if (arguments.empty()) return 0;
    to_.access({-1, arguments[0]}, true, e);
    f_.values.store(arguments[0], stored);
    const value now = f_.values.fresh();
    f_.values.load(arguments[0], now);
    return to_.joined(now, stored);
  }
  for (unsigned k = 0; k != e->getNumArgs(); ++k)
    if (e->getArg(k)->getType()->isPointerType()) return std::nullopt;
  value all = 0;
  for (const value v : arguments) all = to_.joined(all, v);
  return all;
}

}  // namespace eulash
