// Calls of functions of which the program has no text: what the table of the library's functions (library.hpp), or the
// compiler, knows of them, as facts.
#pragma once

#include <clang/AST/Expr.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eulash/analysis/library.hpp"
#include "eulash/analysis/recorder.hpp"

namespace eulash {

// What an argument of another type than a pointer's holds is no address.
std::vector<value> pointers_among(const clang::CallExpr* e, std::vector<value> arguments);

class library_calls {
 public:
  library_calls(const parsed& p, facts& f, recorder& to) : p_(p), f_(f), to_(to) {}

  value call(const library_function& callee, const clang::CallExpr* e, const std::vector<value>& arguments);
  // What the compiler knows itself. Nothing: a function of the library's by another name, or a stranger.
  std::optional<value> call_builtin(const std::string& name, const clang::CallExpr* e,
                                    const std::vector<value>& arguments);

 private:
  value call_threads(const std::string& name, const clang::CallExpr* e, const std::vector<value>& arguments);
  static bool prints_addresses(const clang::Expr* format);
  void apply(std::string_view word, const clang::CallExpr* e, const std::vector<value>& arguments);

  const parsed& p_;
  facts& f_;
  recorder& to_;
};

}  // namespace eulash
