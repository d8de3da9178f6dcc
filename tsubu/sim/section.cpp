#include "tsubu/sim/section.hpp"

#include <algorithm>
#include <utility>

#include "tsubu/sim/words.hpp"

namespace tsubu::sim {

void first_wrong::end_if_any(const std::string& file) const {
  if (!text_.empty()) refuse(file + ":" + std::to_string(line_) + ": " + text_);
}

void first_wrong::note(std::size_t line, const std::string& text, bool missing) {
  if (!text_.empty() && std::pair(missing, line) >= std::pair(missing_, line_)) return;
  missing_ = missing;
  line_ = line;
  text_ = text;
}

section::section(first_wrong& wrong, const toml_value* table, std::string path, std::size_t line)
    : wrong_(wrong), path_(std::move(path)), line_(line) {
  if (table == nullptr) return;
  line_ = table->line;
  table_ = table->as<toml_table>();
  if (table_ == nullptr) wrong_.at(line_, path_ + " is " + table->kind() + "; expected a table");
}

section::~section() {
  if (table_ == nullptr) return;
  for (std::size_t i = 0; i < table_->keys.size(); ++i) {
    const std::string& key = table_->keys[i];
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    wrong_.at(table_->values[i].line,
              "unknown key " + label(key) + "; known are " + list(known_) + did_you_mean(key, known_));
  }
}

const toml_value* section::find(std::string_view key) {
  known_.push_back(key);
  return table_ == nullptr ? nullptr : table_->find(key);
}

const toml_value* section::need(std::string_view key, const std::string& expected) {
  const toml_value* const v = find(key);
  if (v == nullptr) wrong_.missing(line_, label(key) + " is missing; expected " + expected);
  return v;
}

void section::complain(std::string_view key, const toml_value& v, const std::string& found,
                       const std::string& expected) {
  wrong_.at(v.line, label(key) + " is " + found + "; expected " + expected);
}

std::string section::text(std::string_view key, const toml_value* v, const std::string& expected) {
  if (v == nullptr) return "";
  const auto* const said = v->as<std::string>();
  if (said != nullptr && !said->empty()) return *said;
  complain(key, *v, v->kind(), expected);
  return "";
}

int section::integer(std::string_view key, const toml_value* v, int least, int most, int otherwise) {
  if (v == nullptr) return otherwise;
  const auto* const n = v->as<std::int64_t>();
  if (n != nullptr && *n >= least && *n <= most) return static_cast<int>(*n);
  complain(key, *v, n != nullptr ? std::to_string(*n) : v->kind(),
           "an integer from " + std::to_string(least) + " to " + std::to_string(most));
  return otherwise;
}

std::optional<double> section::number(std::string_view key, const toml_value* v, const measure& in) {
  if (v == nullptr) return std::nullopt;
  const auto* const said = v->as<std::string>();
  if (said == nullptr) {
    complain(key, *v, v->kind(), in.expected);
    return std::nullopt;
  }
  const quantity read = read_quantity(*said, in);
  if (!read.value) complain(key, *v, read.wrong, in.expected);
  return read.value;
}

}  // namespace tsubu::sim
