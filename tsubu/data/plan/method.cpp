#include "tsubu/data/plan/method.hpp"

#include <algorithm>

namespace tsubu {
namespace {

constexpr std::array<std::string_view, 6> words{"block", "update", "packed", "read", "cached", "auto"};

}  // namespace

std::string_view name_of(plan_method method) { return words[static_cast<std::size_t>(method)]; }

std::optional<plan_method> plan_method_named(std::string_view word) {
  const auto at = std::ranges::find(words, word);
  if (at == words.end()) return std::nullopt;
  return static_cast<plan_method>(at - words.begin());
}

}  // namespace tsubu
