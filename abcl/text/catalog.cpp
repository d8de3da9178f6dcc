#include "abcl/text/catalog.hpp"

#include <algorithm>
#include <vector>

#include "abcl/text/catalog_parts.hpp"

namespace abcl {

std::span<const explanation> explanations() {
  static const std::vector<explanation> all = [] {
    std::vector<explanation> both;
    for (const auto part : {explanations_of_forms(), explanations_of_rules()})
      both.insert(both.end(), part.begin(), part.end());
    for (explanation& e : both) e.text.remove_prefix(1);
    return both;
  }();
  return all;
}

const explanation* find_explanation(int number) {
  const auto all = explanations();
  const auto found = std::lower_bound(all.begin(), all.end(), number,
                                      [](const explanation& e, int wanted) { return e.number < wanted; });
  return found != all.end() && found->number == number ? &*found : nullptr;
}

}  // namespace abcl
