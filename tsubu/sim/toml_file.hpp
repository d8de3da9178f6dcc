// A TOML file as a tree of values, each of which knows its line, so that whoever reads them can say where something is
// wrong. Nothing of the library that parses it shows here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tsubu::sim {

struct toml_value;

struct toml_array {
  std::vector<toml_value> values;
};

// keys[i] is the key of values[i].
struct toml_table {
  std::vector<std::string> keys;
  std::vector<toml_value> values;

  const toml_value* find(std::string_view key) const;
};

struct toml_time {};  // a date or time: no machine has one

struct toml_value {
  std::size_t line = 0;
  std::variant<toml_time, bool, std::int64_t, double, std::string, toml_array, toml_table> is;

  // What it holds, if it holds that; else null.
  template <class T>
  const T* as() const {
    return std::get_if<T>(&is);
  }
  // What it is, for a message: "an integer".
  std::string kind() const;
};

// The file's table. What cannot be read or is not TOML ends the process with exit code 2, the file and the line.
toml_value read_toml(const std::string& file);

// The same of a text; `file` stands for it in messages.
toml_value parse_toml(const std::string& text, const std::string& file);

}  // namespace tsubu::sim
