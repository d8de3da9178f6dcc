#include "tsubu/data/plan/method.hpp"

#include <algorithm>

namespace tsubu {
namespace {

constexpr std::array<std::string_view, plan_methods.size()> words{"block", "update", "packed", "read", "cached"};

}  // namespace

std::string_view name_of(plan_method method) { return words[static_cast<std::size_t>(method)]; }

std::optional<plan_method> plan_method_named(std::string_view word) {
  const auto at = std::ranges::find(words, word);
  if (at == words.end()) return std::nullopt;
  return plan_methods[static_cast<std::size_t>(at - words.begin())];
}

}  // namespace tsubu
