// The names that are known where a form stands.
#include <fmt/format.h>

#include "abcl/check/checker.hpp"

namespace abcl {

variable* checker::declare(variable::kind what, const form& name, const type* of) {
  variable& v = program_.variables.emplace_back();
  v.what = what;
  v.of = of;
  v.where = name.where;
  if (!is_name(name, "a variable")) return &v;
  v.name = name.word;
  const auto [at, is_new] = scopes_.back().emplace(v.name, &v);
  if (!is_new) {
    said_.error(34, name.where, fmt::format("`{}` is defined twice", v.name), "again")
        .notes.push_back({at->second->where, "first here"});
  }
  return &v;
}

variable* checker::find(std::string_view name) {
  for (auto each = scopes_.rbegin(); each != scopes_.rend(); ++each) {
    if (const auto found = each->find(name); found != each->end()) return found->second;
  }
  return nullptr;
}

std::vector<std::string> checker::names_in_sight() const {
  std::vector<std::string> all;
  for (const auto& each : scopes_) {
    for (const auto& [name, v] : each) all.emplace_back(name);
  }
  return all;
}

void checker::end_scope() {
  for (const auto& [name, v] : scopes_.back()) {
    const bool told = v->what == variable::kind::local || v->what == variable::kind::pattern;
    if (told && v->uses.empty() && !name.starts_with('_'))
      said_.warning(106, v->where, fmt::format("`{}` is not used", name), "never read")
          .help.push_back(v->what == variable::kind::pattern ? "`_` takes an element that nobody needs"
                                                             : "a name that begins with `_` is not warned of");
  }
  scopes_.pop_back();
}

void checker::unknown_name(const form& f) {
  if (!unknown_.insert(f.word).second) return;
  diagnostic& d = said_.error(30, f.where, fmt::format("`{}` is not known here", f.word), "no variable of this name");
  if (program_.find_class(f.word) != nullptr) {
    d.help.push_back(fmt::format("`{}` is a class; (new {}) makes an object of it", f.word, f.word));
  } else if (program_.find_function(f.word) != nullptr) {
    d.help.push_back(fmt::format("`{}` is a function; a call stands in brackets: ({} ...)", f.word, f.word));
  } else if (const std::string meant = nearest(f.word, names_in_sight()); !meant.empty()) {
    d.help.push_back(fmt::format("did you mean `{}`?", meant));
  }
}

}  // namespace abcl
