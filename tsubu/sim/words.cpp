#include "tsubu/sim/words.hpp"

#include "tsubu/base/check.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/base/settings.hpp"

namespace tsubu::sim {

std::string list(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::string near = nearest(word, known.data(), known.size());
  return near.empty() ? "" : "; did you mean " + near + "?";
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

void refuse(const std::string& text) { end_job(exit_code::usage, one_line("tsubu: " + text)); }

}  // namespace tsubu::sim
