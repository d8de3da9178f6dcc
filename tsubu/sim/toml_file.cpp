#include "tsubu/sim/toml_file.hpp"

#include <algorithm>
#include <optional>

#include "tsubu/base/files.hpp"
#include "tsubu/sim/toml_library.hpp"
#include "tsubu/sim/words.hpp"

namespace tsubu::sim {
namespace {

// The library reads what is nested by recursion, as deep as the file says.
constexpr int deepest = 32;

// The place of a string's last quote; or of its last character, where it is not closed.
struct string_end {
  std::size_t at;
  bool closed;
};

// Passes over a string, whose first quote is at `i`. As far as the text goes.
string_end end_of_string(std::string_view text, std::size_t i) {
  const char quote = text[i];
  const std::size_t quotes = text.substr(i).starts_with(std::string(3, quote)) ? 3 : 1;
  for (std::size_t at = i + quotes; at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"') {
      ++at;
    } else if (text[at] == '\n' && quotes == 1) {
      return {at - 1, false};
    } else if (text.substr(at).starts_with(std::string(quotes, quote))) {
      return {at + quotes - 1, true};
    }
  }
  return {text.size() - 1, false};
}

// How many bytes the character at the beginning takes in UTF-8 (RFC 3629, section 4); 0: it is none.
std::size_t bytes_of_character(std::string_view text) {
  const auto byte = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t bytes = first < 0xc2 ? 0 : (first < 0xe0 ? 2 : (first < 0xf0 ? 3 : (first < 0xf5 ? 4 : 0)));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Neither longer than it must be, nor half of a pair of UTF-16, nor beyond the last one.
  const unsigned second = byte(1);
  const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return wrong ? 0 : bytes;
}

// The line, from 1, that is not UTF-8; 0: none. TOML is, and the library reads past the end of a string that is not.
std::int64_t line_of_no_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = bytes_of_character(text.substr(i));
    if (bytes == 0) return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n');
    i += bytes;
  }
  return 0;
}

// Calls f(i, line) for each character that is in no string and no comment, while it gives true; lines from 1. Returns
// the line on which the first string begins that is not closed; 0: none was found.
template <class F>
int for_each_bare(std::string_view text, F f) {
  int line = 1, open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const auto [end, closed] = end_of_string(text, i);
      if (!closed && open == 0) open = line;
      line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                          text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      i = end;
    } else if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (!f(i, line)) {
      break;
    }
    if (text[i] == '\n') ++line;
  }
  return open;
}

// The line on which brackets and the dots of a key are nested deeper than that; 0: none.
int line_of_too_deep(std::string_view text) {
  int found = 0, open = 0, dots = 0;
  for_each_bare(text, [&](std::size_t i, int line) {
    const char c = text[i];
    if (c == '[' || c == '{') {
      ++open;
    } else if (c == ']' || c == '}') {
      open = std::max(open - 1, 0);
    } else if (c == '.') {
      ++dots;
    }
    if (c == '\n' || c == '=' || c == ',' || c == '{') dots = 0;
    if (open + dots > deepest) found = line;
    return found == 0;
  });
  return found;
}

// The library makes powers of two for all digits of a binary integer, and of 2^63 what it likes.
constexpr std::ptrdiff_t most_binary_digits = 62;

// The line that has a longer one; 0: none.
int line_of_long_binary(std::string_view text) {
  int found = 0;
  for_each_bare(text, [&](std::size_t i, int line) {
    if (!text.substr(i).starts_with("0b")) return true;
    const std::string_view digits = text.substr(i + 2, text.substr(i + 2).find_first_not_of("01_"));
    if (std::ranges::count_if(digits, [](char c) { return c != '_'; }) > most_binary_digits) found = line;
    return found == 0;
  });
  return found;
}

// Without its end; lines from 1.
std::string line_of_text(std::string_view text, std::int64_t line) {
  for (; line > 1 && text.find('\n') != text.npos; --line) text.remove_prefix(text.find('\n') + 1);
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return std::string(text);
}

// What the library refuses, in words and with a line that do not depend on its version, as far as that can be.
[[noreturn]] void refuse_as_told(const toml_trouble& told, std::string_view text, const std::string& file) {
  std::string why = told.why;
  std::int64_t line = told.line;
  // Version 3 names the line on which it begins, version 4 that on which the file ends.
  const int open = for_each_bare(text, [](std::size_t, int) { return true; });
  if (open != 0 && (open <= line || line == 0)) {
    line = open;
    why = "a string is not closed";
  } else if (told.twice) {
    why = "this is there already";
  }
  if (line == 0) refuse(file + ": this is not TOML: " + why);
  refuse(file + ":" + std::to_string(line) + ": this is not TOML: " + why + ", in '" + line_of_text(text, line) + "'");
}

}  // namespace

const toml_value* toml_table::find(std::string_view key) const {
  const auto place = std::find(keys.begin(), keys.end(), key);
  return place == keys.end() ? nullptr : &values[static_cast<std::size_t>(place - keys.begin())];
}

std::string toml_value::kind() const {
  if (as<bool>() != nullptr) return "true or false";
  if (as<std::int64_t>() != nullptr) return "an integer";
  if (as<double>() != nullptr) return "a number without a unit";
  if (as<std::string>() != nullptr) return "\"" + *as<std::string>() + "\"";
  if (as<toml_array>() != nullptr) return "an array";
  if (as<toml_table>() != nullptr) return "a table";
  return "a date or time";
}

toml_value read_toml(const std::string& file) {
  std::string why;
  const auto text = read_file(file, why);
  if (!text) refuse(file + " cannot be read: " + why + "; expected the description of a machine");
  return parse_toml(*text, file);
}

toml_value parse_toml(const std::string& text, const std::string& file) {
  if (const std::int64_t line = line_of_no_utf8(text); line != 0)
    refuse(file + ":" + std::to_string(line) + ": this is not TOML: it is not UTF-8");
  if (const int line = line_of_too_deep(text); line != 0) {
    refuse(file + ":" + std::to_string(line) + ": this is nested deeper than " + std::to_string(deepest) +
           " arrays, tables and parts of a key");
  }
  if (const int line = line_of_long_binary(text); line != 0) {
    refuse(file + ":" + std::to_string(line) + ": this is a binary integer of more than " +
           std::to_string(most_binary_digits) + " digits");
  }
  toml_trouble told;
  const std::optional<toml_value> root = parse_by_library(text, file, told);
  if (!root) refuse_as_told(told, text, file);
  return *root;
}

}  // namespace tsubu::sim
