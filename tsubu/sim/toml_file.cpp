#include "tsubu/sim/toml_file.hpp"

#include <algorithm>
#include <sstream>
#include <toml.hpp>

#include "tsubu/base/files.hpp"
#include "tsubu/sim/words.hpp"

namespace tsubu::sim {
namespace {

toml_value tree_of(const toml::value& v) {
  toml_value made;
  made.line = v.location().line();
  switch (v.type()) {
    case toml::value_t::boolean:
      made.is = v.as_boolean();
      break;
    case toml::value_t::integer:
      made.is = static_cast<std::int64_t>(v.as_integer());
      break;
    case toml::value_t::floating:
      made.is = v.as_floating();
      break;
    case toml::value_t::string:
      made.is = v.as_string().str;
      break;
    case toml::value_t::array: {
      toml_array all;
      for (const toml::value& one : v.as_array()) all.values.push_back(tree_of(one));
      made.is = std::move(all);
      break;
    }
    case toml::value_t::table: {
      toml_table all;
      for (const auto& [key, one] : v.as_table()) {
        all.keys.push_back(key);
        all.values.push_back(tree_of(one));
      }
      made.is = std::move(all);
      break;
    }
    default:
      break;
  }
  return made;
}

// The library reads what is nested by recursion, as deep as the file says.
constexpr int deepest = 32;

// Passes over a string, whose first quote is at `i`; returns the place of its last one. As far as the text goes.
std::size_t end_of_string(std::string_view text, std::size_t i) {
  const char quote = text[i];
  const std::size_t quotes = text.substr(i).starts_with(std::string(3, quote)) ? 3 : 1;
  for (std::size_t at = i + quotes; at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"') {
      ++at;
    } else if (text[at] == '\n' && quotes == 1) {
      return at - 1;  // an error, which the library will tell
    } else if (text.substr(at).starts_with(std::string(quotes, quote))) {
      return at + quotes - 1;
    }
  }
  return text.size();
}

// The line, from 1, on which brackets and the dots of a key are nested deeper than that; 0: none.
int line_of_too_deep(std::string_view text) {
  int line = 1, open = 0, dots = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = std::min(end_of_string(text, i), text.size() - 1);
      line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                          text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      i = end;
    } else if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '[' || c == '{') {
      ++open;
    } else if (c == ']' || c == '}') {
      open = std::max(open - 1, 0);
    } else if (c == '.') {
      ++dots;
    }
    if (c == '\n' || c == '=' || c == ',' || c == '{') dots = 0;
    if (c == '\n') ++line;
    if (open + dots > deepest) return line;
  }
  return 0;
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
  if (const int line = line_of_too_deep(*text); line != 0) {
    refuse(file + ":" + std::to_string(line) + ": this is nested deeper than " + std::to_string(deepest) +
           " arrays, tables and parts of a key");
  }
  try {
    std::istringstream in(*text);
    return tree_of(toml::parse(in, file));
  } catch (const toml::exception& e) {
    // "[error] toml::parse_key: an invalid key appeared.\n --> file ..."
    std::string said = e.what();
    said = said.substr(0, said.find('\n'));
    const std::size_t colon = said.find(": ");
    if (colon != said.npos) said = said.substr(colon + 2);
    refuse(file + ":" + std::to_string(e.location().line()) + ": this is not TOML: " + said + ", in '" +
           e.location().line_str() + "'");
  } catch (const std::exception& e) {
    refuse(file + ": this is not TOML: " + e.what());
  }
}

}  // namespace tsubu::sim
