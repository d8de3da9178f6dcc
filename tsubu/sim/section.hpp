// The tables of a machine's file, read key by key. A misspelt or wrong value must not go unnoticed, and people mend the
// first line that is wrong first: so each value is checked as it is asked for, keys that nobody asks for are wrong,
// too, and of all that is wrong the first line is told.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tsubu/sim/quantity.hpp"
#include "tsubu/sim/toml_file.hpp"

namespace tsubu::sim {

// What is wrong in a file: the line that comes first.
class first_wrong {
 public:
  void at(std::size_t line, const std::string& text) { note(line, text, false); }
  // What is missing comes after all else: it may be there under a wrong name.
  void missing(std::size_t line, const std::string& text) { note(line, text, true); }
  // Ends the process with exit code 2, the file, the line and the text.
  void end_if_any(const std::string& file) const;

 private:
  void note(std::size_t line, const std::string& text, bool missing);

  bool missing_ = false;
  std::size_t line_ = 0;
  std::string text_;
};

// One table of the file: gives its values, and finds out which of its keys nobody asked for.
class section {
 public:
  // path: "" or "[cost]". A table that is not there has no keys.
  section(first_wrong& wrong, const toml_value* table, std::string path, std::size_t line);
  ~section();
  section(const section&) = delete;
  section& operator=(const section&) = delete;

  bool there() const { return table_ != nullptr; }
  std::size_t line() const { return line_; }
  first_wrong& wrong() { return wrong_; }

  bool has(std::string_view key) const { return table_ != nullptr && table_->find(key) != nullptr; }
  // The value of a key, or null.
  const toml_value* find(std::string_view key);
  // The same; one that is not there is wrong.
  const toml_value* need(std::string_view key, const std::string& expected);

  void complain(std::string_view key, const toml_value& v, const std::string& what, const std::string& expected);

  // What a value of that key says; if it is null or wrong, "", `otherwise` or nothing.
  std::string text(std::string_view key, const toml_value* v, const std::string& expected);
  int integer(std::string_view key, const toml_value* v, int least, int most, int otherwise);
  // "1.5 us" as what it is in the unit of size 1.
  std::optional<double> number(std::string_view key, const toml_value* v, const measure& in);

 private:
  std::string label(std::string_view key) const { return (path_.empty() ? "" : path_ + " ") + std::string(key); }

  first_wrong& wrong_;
  const toml_table* table_ = nullptr;  // null: it is not there
  const std::string path_;
  std::size_t line_;
  std::vector<std::string_view> known_;  // keys that somebody asked for
};

}  // namespace tsubu::sim
