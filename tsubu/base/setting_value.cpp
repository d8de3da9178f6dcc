#include "tsubu/base/setting_value.hpp"

#include <algorithm>
#include <charconv>

#include "tsubu/base/check.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/base/settings.hpp"

namespace tsubu::detail {

void refuse(const std::string& message) { end_job(exit_code::usage, one_line("tsubu: " + message)); }

std::size_t bytes(std::string_view text, std::size_t least, const std::string& source) {
  constexpr std::size_t most = std::size_t{1} << 50;
  const std::string_view whole = text;
  int shift = 0;
  if (!text.empty()) {
    constexpr std::string_view units = "KMG";
    const std::size_t unit = units.find(text.back());
    if (unit != std::string_view::npos) {
      shift = 10 * static_cast<int>(unit + 1);
      text.remove_suffix(1);
    }
  }
  std::size_t n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n > most >> shift || n << shift < least) {
    refuse(source + " needs a number of bytes, " + std::to_string(least) +
           " at least, such as 65536, 64M or 2G, not '" + std::string(whole) + "'");
  }
  return n << shift;
}

bool on_or_off(std::string_view text, const std::string& source) {
  if (text != "on" && text != "off") refuse(source + " needs on or off, not '" + std::string(text) + "'");
  return text == "on";
}

std::string_view one_of(std::initializer_list<std::string_view> known, std::string_view text,
                        const std::string& source) {
  if (std::find(known.begin(), known.end(), text) != known.end()) return text;
  std::string list;
  for (const std::string_view& word : known)
    list.append(&word == known.begin() ? "" : &word + 1 < known.end() ? ", " : " and ").append(word);
  const std::string near = nearest(text, known.begin(), known.size());
  refuse(source + " knows " + list + ", not '" + std::string(text) + "'" +
         (near.empty() ? "" : "; did you mean " + near + "?"));
}

bool flag(std::string_view text, const std::string& source) {
  if (text.empty() || text == "on" || text == "1") return true;
  if (text != "off" && text != "0") refuse(source + " needs on, off or no value, not '" + std::string(text) + "'");
  return false;
}

std::string_view file_name(std::string_view text, const std::string& source) {
  if (text.empty()) refuse(source + " needs the name of a file");
  return text;
}

}  // namespace tsubu::detail
