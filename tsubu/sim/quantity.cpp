#include "tsubu/sim/quantity.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "tsubu/sim/words.hpp"

namespace tsubu::sim {

quantity read_quantity(std::string_view text, const measure& in) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const std::string_view name = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  const auto found = std::find_if(in.units.begin(), in.units.end(), [&](const unit& u) { return u.name == name; });
  const auto wrong = [&](const std::string& why) {
    return quantity{std::nullopt, "\"" + std::string(text) + "\", " + why};
  };
  if (error == std::errc::invalid_argument) return wrong("which does not begin with a number");
  if (error != std::errc{} || !std::isfinite(number)) return wrong("which is not finite");
  if (std::signbit(number)) return wrong("which is negative");
  if (name.empty()) return wrong("which has no unit");
  if (found == in.units.end()) {
    std::vector<std::string_view> names;
    for (const unit& u : in.units) names.push_back(u.name);
    return wrong("and there is no unit '" + std::string(name) + "', only " + list(names));
  }
  const double value = number * found->size;
  if (value < in.least) return wrong("which is too little");
  if (value > in.most) return wrong("which is too much");
  return {value, ""};
}

}  // namespace tsubu::sim
