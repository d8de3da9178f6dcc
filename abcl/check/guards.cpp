#include "abcl/check/guards.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "abcl/check/analysis.hpp"

namespace abcl {

void forbid_effects_in_guards(const program& p, diagnostics& said) {
  const auto concerned = [](const function_def& f) { return f.looks_outside || f.leaves_traces; };
  if (std::none_of(p.functions.begin(), p.functions.end(), concerned)) return;
  const auto look_at_guard = [&](const expression& e) {
    const auto* const call = try_as<tree::call>(e);
    if (call != nullptr && concerned(*call->function))
      said.error(58, e.where, fmt::format("a guard does not call `{}`", call->function->name),
                 call->function->looks_outside ? "its value may be another one each time"
                                               : "it would print or change an array each time")
          .help.push_back("guards, functions and first values only compute");
    return true;
  };
  walk(p, [&](const expression& e) {
    if (const auto* const cases = try_as<tree::cases>(e)) {
      for (const clause& c : cases->clauses) {
        if (c.guard != nullptr) walk(*c.guard, look_at_guard);
      }
    }
    return true;
  });
}

}  // namespace abcl
