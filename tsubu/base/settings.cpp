#include "tsubu/base/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "tsubu/base/setting_value.hpp"
#include "tsubu/base/settings_table.hpp"

namespace tsubu {
namespace {

using detail::refuse;
using detail::setting;

constexpr std::string_view option_prefix = "--tsubu-";
constexpr std::string_view variable_prefix = "TSUBU_";

// What module files, Spack and CMake call the folder that a package is installed in: theirs, and no settings.
constexpr std::string_view names_of_folder[] = {"TSUBU_ROOT", "TSUBU_DIR", "TSUBU_HOME"};

std::string variable_name(std::string_view name) {
  std::string variable(variable_prefix);
  for (char c : name) variable += c == '-' ? '_' : (c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  return variable;
}

// As names are in the table.
std::string plain_name(std::string_view written) {
  std::string name;
  for (char c : written) name += c == '_' ? '-' : (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  return name;
}

// `source` is none of ours, though its name begins as if it were.
[[noreturn]] void refuse_unknown(std::string_view name, const std::string& source) {
  std::vector<std::string_view> names;
  for (const setting& one : detail::all_settings()) names.push_back(one.name);
  const std::string near = nearest(plain_name(name), names.data(), names.size());
  const bool option = source.starts_with("-");
  std::string hint = "; --tsubu-help lists the options";
  if (!near.empty()) {
    hint = "; did you mean ";
    hint += (option ? std::string(option_prefix) + near : variable_name(near)) + "?";
  }
  refuse("unknown " + std::string(option ? "option " : "variable ") + source + hint);
}

// What an option or a variable says.
struct written_setting {
  std::string source;  // as the user wrote it, without the value
  std::string_view value;
  bool has_value;
};

void set(settings& s, std::string_view name, const written_setting& by) {
  const std::span<const setting> all = detail::all_settings();
  const auto one = std::find_if(all.begin(), all.end(), [&](const setting& any) { return any.name == name; });
  if (one == all.end()) refuse_unknown(name, by.source);
  if (!by.has_value && !one->value.empty()) {
    refuse(by.source + " needs a value: " + by.source + "=" + std::string(one->value));
  }
  one->set(s, by.value, by.source);
  const bool option = by.source.starts_with("-");
  if (one->scope != setting_scope::any_job && (option || !one->of_computer))
    s.given_for.push_back({by.source, one->scope});
}

// What follows in a word such as --tsubu-pes=2, -tsubu-pes, --tsubu_pes or --Tsubu-pes, all of which are meant for us.
std::optional<std::string_view> behind_our_name(std::string_view word) {
  constexpr std::string_view ours = "tsubu-";
  const std::size_t begin = word.find_first_not_of('-');
  if (begin == 0 || begin == word.npos || !plain_name(word.substr(begin)).starts_with(ours)) return std::nullopt;
  return word.substr(begin + ours.size());
}

void read_variables(settings& s) {
  for (char** v = environ; v != nullptr && *v != nullptr; ++v) {
    const std::string_view entry = *v;
    const std::size_t equals = std::min(entry.find('='), entry.size());
    const std::string_view name = entry.substr(0, equals);
    if (name == "TSUBU") refuse("unknown variable TSUBU; variables are named as TSUBU_PES is, --tsubu-help lists them");
    if (!name.starts_with(variable_prefix)) continue;
    if (std::find(std::begin(names_of_folder), std::end(names_of_folder), name) != std::end(names_of_folder)) continue;
    set(s, plain_name(name.substr(variable_prefix.size())),
        {std::string(name), entry.substr(std::min(equals + 1, entry.size())), true});
  }
}

}  // namespace

std::string nearest(std::string_view word, const std::string_view* known, std::size_t count) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2) + 1;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string_view other = known[k];
    std::vector<std::size_t> row(other.size() + 1);
    for (std::size_t j = 0; j <= other.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= word.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= other.size(); ++j) {
        const std::size_t changed = diagonal + (word[i - 1] == other[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = other;
    }
  }
  return best;
}

settings read_settings(int& argc, char** argv) {
  settings s;
  read_variables(s);
  std::vector<std::string_view> given;
  int kept = 0;
  bool ours = true;
  for (int i = 0; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (i > 0 && word == "--") ours = false;
    if (i == 0 || !ours || !behind_our_name(word).has_value()) {
      argv[kept++] = argv[i];
      continue;
    }
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string_view option = word.substr(0, equals);
    if (!option.starts_with(option_prefix)) refuse_unknown(*behind_our_name(option), std::string(option));
    if (std::find(given.begin(), given.end(), option) != given.end()) {
      refuse(std::string(option) + " is given twice, the second time as '" + std::string(word) + "'");
    }
    given.push_back(option);
    set(s, option.substr(option_prefix.size()),
        {std::string(option), word.substr(std::min(equals + 1, word.size())), equals != word.size()});
  }
  argc = kept;
  argv[argc] = nullptr;
  return s;
}

std::string settings_help() {
  std::string text = "Options of Tsubu (each also as a variable, for instance TSUBU_PES=4):\n";
  for (const setting& one : detail::all_settings()) {
    std::string option = "  --tsubu-" + std::string(one.name) + (one.value.empty() ? "" : "=" + std::string(one.value));
    option.resize(std::max<std::size_t>(option.size() + 1, 30), ' ');
    text += option + std::string(one.help) + '\n';
  }
  return text;
}

}  // namespace tsubu
