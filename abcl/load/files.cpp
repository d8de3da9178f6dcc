#include "abcl/load/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>

#include "tsubu/base/files.hpp"

namespace abcl {
namespace {

namespace fs = std::filesystem;

std::string identity(const fs::path& path) {
  std::error_code trouble;
  const fs::path found = fs::weakly_canonical(path, trouble);
  return (trouble ? path : found).string();
}

class loading {
 public:
  loading(sources& texts, std::list<forms>& read, diagnostics& said) : texts_(texts), read_(read), said_(said) {}

  void add(const std::string& path, std::string text) {
    seen_.insert(identity(path));
    const source& s = texts_.add(path, std::move(text));
    const forms& f = read_.emplace_back(abcl::read(s, said_));
    for (const form& each : f.all) {
      if (each.is_form("use")) use(each, path);
      if (each.is_form("foreign")) look_for_foreign(each, path);
    }
  }

 private:
  void use(const form& f, const std::string& by) {
    if (f.parts.size() != 2 || !f.parts[1].is(form::kind::text)) {
      said_.error(22, f.where, "`use` names one file", "(use \"file.abcl\") is expected");
      return;
    }
    const fs::path path = fs::path(by).parent_path() / f.parts[1].text;
    if (seen_.contains(identity(path))) return;
    try {
      add(path.string(), text_of_file(path.string()));
    } catch (const std::runtime_error& e) {
      said_.error(22, f.parts[1].where, e.what(), "used here");
    }
  }

  // Headers and sources of C++ are left to its compiler; but here they can be told from the line that names them.
  void look_for_foreign(const form& f, const std::string& by) {
    for (std::size_t i = 1; i < f.parts.size() && f.parts[i].is(form::kind::text); ++i) {
      const std::string& name = f.parts[i].text;
      if (name.starts_with('<')) continue;
      const fs::path path = fs::path(by).parent_path() / name;
      std::error_code trouble;
      if (!fs::is_regular_file(path, trouble))
        said_.error(22, f.parts[i].where, fmt::format("{}: there is no such file", path.string()), "named here");
    }
  }

  sources& texts_;
  std::list<forms>& read_;
  diagnostics& said_;
  std::set<std::string> seen_;
};

}  // namespace

std::string contents_of(const std::string& path) {
  if (path != "-") return text_of_file(path);
  std::string why;
  std::optional<std::string> text = tsubu::read_to_end(STDIN_FILENO, why);
  if (!text) throw std::runtime_error(fmt::format("the standard input: {}", why));
  return std::move(*text);
}

std::string text_of_file(const std::string& path) {
  std::string why;
  std::optional<std::string> text = tsubu::read_file(path, why);
  if (!text) throw std::runtime_error(fmt::format("{}: {}", path, why));
  return std::move(*text);
}

void read_files(const std::string& path, std::string text, sources& texts, std::list<forms>& read, diagnostics& said) {
  loading(texts, read, said).add(path, std::move(text));
}

loaded load_text(const std::string& path, std::string text) {
  loaded l;
  read_files(path, std::move(text), l.texts, l.read, l.said);
  l.unreadable = l.said.any_errors();
  std::vector<const forms*> all;
  for (const forms& f : l.read) all.push_back(&f);
  l.checked = check(all, l.said);
  l.said.sort();
  return l;
}

void require_main(loaded& l) {
  const class_def* const main = l.checked->find_class("Main");
  if (main == nullptr) {
    const source& first = l.texts.all().front();
    l.said.error(36, {first.base(), first.base()}, "the program has no class `Main`", "")
        .help.push_back("it is created when the program starts: [class Main (obj []) ((Int n)) form ...]");
    return;
  }
  for (const variable* a : main->arguments) {
    const bool known = a->of->is(type::kind::integer) || a->of->is(type::kind::real) || a->of->is(type::kind::text);
    const bool words = a->of->is(type::kind::array) && a->of->of()->is(type::kind::text);
    if (known || (words && a == main->arguments.back())) continue;
    l.said.error(36, a->where, "an argument of `Main` comes from the command line",
                 words ? "only the last one takes all words that are left"
                       : "Int, Float, Str, or behind them (array Str) is expected");
  }
}

loaded load(const std::string& path) { return load_text(path, contents_of(path)); }

}  // namespace abcl
