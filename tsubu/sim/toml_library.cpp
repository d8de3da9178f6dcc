#include "tsubu/sim/toml_library.hpp"

#include <algorithm>
#include <exception>
#include <initializer_list>
#include <sstream>
#include <string_view>
#include <toml.hpp>
#include <utility>

namespace tsubu::sim {
namespace {

// ---- where the versions differ

#if TOML11_VERSION_MAJOR >= 4
std::size_t line_of(const toml::source_location& where) { return where.first_line_number(); }
const std::string& text_of(const toml::value& v) { return v.as_string(); }
using parse_error = toml::syntax_error;
std::size_t line_of(const parse_error& e) {
  const auto& places = e.errors().front().locations();
  return places.empty() ? 1 : line_of(places.front().first);
}
std::string words_of(const parse_error& e) { return e.errors().front().title(); }
#else
std::size_t line_of(const toml::source_location& where) { return where.line(); }
const std::string& text_of(const toml::value& v) { return v.as_string().str; }
using parse_error = toml::exception;
std::size_t line_of(const parse_error& e) { return line_of(e.location()); }
std::string words_of(const parse_error& e) { return e.what(); }
#endif

// ---- what they have in common

toml_value tree_of(const toml::value& v) {
  toml_value made;
  made.line = std::max<std::size_t>(line_of(v.location()), 1);  // in version 4 an empty file's table is on line 0
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
      made.is = text_of(v);
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

// "[error] toml::parse_key: an invalid key appeared.\n --> file ...", without what is around the words.
std::string bare(std::string said) {
  said = said.substr(0, said.find('\n'));
  const std::size_t colon = said.find(": ");
  return colon == said.npos ? said : said.substr(colon + 2);
}

bool speaks_of_twice(std::string_view said) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"already exists", "already defined", "is neither table"},
      [said](std::string_view words) { return said.find(words) != said.npos; });
}

}  // namespace

std::optional<toml_value> parse_by_library(const std::string& text, const std::string& file, toml_trouble& trouble) {
  try {
    std::istringstream in(text);
    return tree_of(toml::parse(in, file));
  } catch (const parse_error& e) {
    trouble.line = std::max<std::int64_t>(static_cast<std::int64_t>(line_of(e)), 1);
    trouble.why = bare(words_of(e));
    trouble.twice = speaks_of_twice(trouble.why);
  } catch (const std::exception& e) {
    trouble.why = bare(e.what());
  }
  return std::nullopt;
}

}  // namespace tsubu::sim
