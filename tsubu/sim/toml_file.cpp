#include "tsubu/sim/toml_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <toml.hpp>

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
  std::ifstream in(file, std::ios::binary);
  std::error_code none;
  if (!in || !std::filesystem::is_regular_file(file, none)) {
    refuse(file + " cannot be read; expected the description of a machine");
  }
  try {
    return tree_of(toml::parse(in, file));
  } catch (const toml::exception& e) {
    // "[error] toml::parse_key: an invalid key appeared.\n --> file ..."
    std::string why = e.what();
    why = why.substr(0, why.find('\n'));
    const std::size_t colon = why.find(": ");
    if (colon != why.npos) why = why.substr(colon + 2);
    refuse(file + ":" + std::to_string(e.location().line()) + ": this is not TOML: " + why + ", in '" +
           e.location().line_str() + "'");
  } catch (const std::exception& e) {
    refuse(file + ": this is not TOML: " + e.what());
  }
}

}  // namespace tsubu::sim
