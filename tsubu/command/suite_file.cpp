#include "tsubu/command/suite_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

#include "tsubu/base/check.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/command/child.hpp"
#include "tsubu/command/series.hpp"
#include "tsubu/sim/section.hpp"
#include "tsubu/sim/toml_file.hpp"

namespace tsubu::command {
namespace {

namespace fs = std::filesystem;
using sim::section;
using sim::toml_array;
using sim::toml_table;
using sim::toml_value;

// ---- {4e6 / pes}

// Reads a sum: terms with + and -, factors with * and /, from left to right; no parentheses but those of functions.
class sum_reader {
 public:
  sum_reader(std::string_view text, double pes) : text_(text), pes_(pes) {}

  std::optional<double> read() {
    const std::optional<double> value = sum();
    skip();
    return at_ == text_.size() ? value : std::nullopt;
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    skip();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  std::optional<double> sum() {
    std::optional<double> left = product();
    while (left) {
      const bool plus = take('+');
      if (!plus && !take('-')) break;
      const std::optional<double> right = product();
      if (!right) return std::nullopt;
      left = plus ? *left + *right : *left - *right;
    }
    return left;
  }
  std::optional<double> product() {
    std::optional<double> left = factor();
    while (left) {
      const bool times = take('*');
      if (!times && !take('/')) break;
      const std::optional<double> right = factor();
      if (!right) return std::nullopt;
      left = times ? *left * *right : *left / *right;
    }
    return left;
  }
  std::optional<double> factor() {
    if (take("pes")) return pes_;
    for (const auto& [name, function] : {std::pair{"sqrt(", +[](double x) { return std::sqrt(x); }},
                                         std::pair{"log2(", +[](double x) { return std::log2(x); }}}) {
      if (!take(name)) continue;
      const std::optional<double> inner = sum();
      return inner && take(')') ? std::optional(function(*inner)) : std::nullopt;
    }
    skip();
    double number = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (error != std::errc{}) return std::nullopt;
    at_ = static_cast<std::size_t>(end - text_.data());
    return number;
  }

  std::string_view text_;
  double pes_;
  std::size_t at_ = 0;
};

// ---- the file

// The suite that comes with Tsubu: beside the programs, those of a build tree, too.
std::string default_file() {
  return (fs::path(own_path()).parent_path().parent_path() / "share/tsubu/suites/applications.toml").string();
}

// The program that a name stands for: beside the command, or wherever the PATH has it.
std::string program_of(const std::string& name, const fs::path& folder) {
  if (name.find('/') != name.npos) return fs::absolute(folder / name).lexically_normal().string();
  std::error_code none;
  const fs::path beside = fs::path(own_path()).parent_path() / name;
  return fs::exists(beside, none) ? beside.string() : name;
}

class suite_reader {
 public:
  suite_reader(const toml_value& root, const std::string& file) : root_(root) { read_.file = file; }

  suite read() {
    std::vector<int> pes;
    {
      section top(wrong_, &root_, "", 1);
      read_.about = one_line(top.text("about", top.need("about", "a line of text"), "a line of text"));
      pes = numbers(top, "pes");
      const toml_value* const all = top.need("application", "tables [[application]]");
      const auto* const list = all == nullptr ? nullptr : all->as<toml_array>();
      if (all != nullptr && (list == nullptr || list->values.empty())) {
        top.complain("application", *all, all->kind(), "tables [[application]]");
      } else if (list != nullptr) {
        for (const toml_value& one : list->values) read_application(one, pes);
      }
    }
    wrong_.end_if_any(read_.file);
    return std::move(read_);
  }

 private:
  void read_application(const toml_value& v, const std::vector<int>& pes) {
    section one(wrong_, &v, "[[application]]", v.line);
    if (!one.there()) return;
    suite_application a;
    const toml_value* const name = one.need("name", "a name");
    a.name = one_line(one.text("name", name, "a name"));
    const auto same = [&](const suite_application& other) { return other.name == a.name; };
    if (!a.name.empty() && std::any_of(read_.applications.begin(), read_.applications.end(), same)) {
      one.complain("name", *name, fmt::format("\"{}\" once more", a.name), "another name for each application");
    }
    if (a.name.find(',') != a.name.npos) {
      one.complain("name", *name, fmt::format("\"{}\"", a.name), "a name without a comma, which --only would cut");
    }
    const std::string program = one.text("program", one.need("program", "a program"), "a program");
    a.program = program_of(program, fs::path(read_.file).parent_path());
    a.arguments = words(one, "arguments");
    a.has_strong = one.has("strong");
    a.has_weak = one.has("weak");
    a.strong = words(one, "strong");
    a.weak = words(one, "weak");
    if (!a.has_strong && !a.has_weak) {
      wrong_.missing(one.line(), "[[application]] strong and weak are missing; expected one of them, with arguments");
    }
    if (const toml_value* const field = one.find("field")) {
      const auto* const said = field->as<std::string>();
      if (said == nullptr) {
        one.complain("field", *field, field->kind(), "the name of a number in the program's line of JSON");
      } else {
        a.field = *said;
      }
    }
    if (const toml_value* const work = one.find("work")) {
      a.work = one_line(one.text("work", work, of_work));
      if (!a.work.empty() && a.work != "annotated" && a.work != "measured" && !a.work.starts_with("measured:")) {
        one.complain("work", *work, fmt::format("\"{}\"", a.work), of_work);
      }
    }
    if (const toml_value* const note = one.find("note")) a.note = one_line(one.text("note", note, "a line of text"));
    a.pes = one.has("pes") ? numbers(one, "pes") : pes;
    if (a.pes.empty()) wrong_.missing(one.line(), "[[application]] pes is missing; expected " + of_pes);
    read_.applications.push_back(std::move(a));
  }

  // A list of numbers of PEs.
  std::vector<int> numbers(section& in, std::string_view key) {
    const toml_value* const v = in.find(key);
    const std::string list = in.text(key, v, of_pes);
    if (list.empty()) return {};
    return series_of(fmt::format("tsubu: {}:{}: {}", read_.file, v->line, key), list);
  }

  std::vector<std::string> words(section& in, std::string_view key) {
    const toml_value* const v = in.find(key);
    if (v == nullptr) return {};
    const std::string expected = "an array of strings, such as [\"--updates\", \"{1e6 / pes}\"]";
    const auto* const list = v->as<toml_array>();
    if (list == nullptr) {
      in.complain(key, *v, v->kind(), expected);
      return {};
    }
    std::vector<std::string> all;
    for (const toml_value& one : list->values) {
      const auto* const word = one.as<std::string>();
      std::string trouble;
      if (word == nullptr) {
        in.complain(key, one, one.kind(), expected);
      } else if (argument_on(*word, 1, &trouble); !trouble.empty()) {
        in.complain(key, one, trouble, "a sum of numbers and pes, such as {4e6 / pes}, {14 + log2(pes)}");
      } else {
        all.push_back(*word);
      }
    }
    return all;
  }

  inline static const std::string of_pes = "numbers of PEs, such as \"1,4,16,...,4096\"";
  inline static const std::string of_work = "annotated, measured or measured:SCALE";
  const toml_value& root_;
  sim::first_wrong wrong_;
  suite read_;
};

}  // namespace

suite read_suite(const std::string& file) {
  const std::string named = file.empty() ? default_file() : file;
  const toml_value root = sim::read_toml(named);
  return suite_reader(root, named).read();
}

std::string argument_on(const std::string& argument, int pes, std::string* trouble) {
  std::string text;
  for (std::size_t at = 0; at < argument.size();) {
    const std::size_t open = argument.find('{', at);
    text += argument.substr(at, open - at);
    if (open == argument.npos) break;
    const std::size_t close = argument.find('}', open);
    std::optional<double> value;
    if (close != argument.npos) {
      value = sum_reader(std::string_view(argument).substr(open + 1, close - open - 1), pes).read();
    }
    if (!value || !std::isfinite(*value) || std::abs(*value) > 1e18) {
      if (trouble != nullptr) *trouble = fmt::format("\"{}\"", argument);
      return "";
    }
    text += std::to_string(std::llround(*value));
    at = close + 1;
  }
  return text;
}

}  // namespace tsubu::command
