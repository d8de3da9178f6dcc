#include "abcl/check/environment.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "abcl/check/library.hpp"
#include "abcl/check/names.hpp"
#include "abcl/check/other_words.hpp"
#include "abcl/check/special_forms.hpp"

namespace abcl {

variable* environment::nameless() {
  variable& v = program_.variables.emplace_back();
  v.of = program_.types.unknown;
  return &v;
}

variable* environment::declare(variable::kind what, const form& name, const type* of) {
  variable& v = program_.variables.emplace_back();
  v.what = what;
  v.of = of;
  v.where = name.where;
  if (!is_name(name, "a variable", said_)) return &v;
  v.name = name.word;
  if (const variable* const first = find_in_scope(v.name)) {
    said_.error(34, name.where, fmt::format("`{}` is defined twice", v.name), "again")
        .notes.push_back({first->where, "first here"});
  } else {
    visible_.push_back(&v);
  }
  return &v;
}

void environment::declare_what_may_be_meant(const form& f) {
  const auto declare_it = [&](const form& name) {
    if (!name.is(form::kind::symbol) || is_reserved(name.word) || is_operator(name.word)) return;
    if (program_.find_class(name.word) != nullptr) return;
    variable& v = *nameless();
    v.what = variable::kind::state;
    v.name = name.word;
    v.where = name.where;
    show(v);
  };
  declare_it(f);
  for (const form& part : f.parts) declare_it(part);
}

void environment::show(variable& v) {
  if (!v.name.empty() && find_in_scope(v.name) == nullptr) visible_.push_back(&v);
}

variable* environment::find_in_scope(std::string_view name) const {
  const auto begin = visible_.begin() + static_cast<std::ptrdiff_t>(begins_.back());
  const auto found = std::find_if(begin, visible_.end(), [&](const variable* v) { return v->name == name; });
  return found == visible_.end() ? nullptr : *found;
}

variable* environment::find(std::string_view name) const {
  const auto found =
      std::find_if(visible_.rbegin(), visible_.rend(), [&](const variable* v) { return v->name == name; });
  return found == visible_.rend() ? nullptr : *found;
}

std::vector<std::string> environment::names_in_sight() const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < begins_.size(); ++i) {
    const std::size_t end = i + 1 < begins_.size() ? begins_[i + 1] : visible_.size();
    for (std::size_t k = begins_[i]; k < end; ++k) all.emplace_back(visible_[k]->name);
    // The first in the alphabet is taken for what is meant, of two that are as near.
    std::sort(all.begin() + static_cast<std::ptrdiff_t>(begins_[i]), all.end());
  }
  return all;
}

void environment::end_scope() {
  for (std::size_t i = begins_.back(); i < visible_.size(); ++i) {
    const variable& v = *visible_[i];
    const bool told = v.what == variable::kind::local || v.what == variable::kind::pattern;
    if (told && v.uses.empty() && !v.name.starts_with('_'))
      said_.warning(106, v.where, fmt::format("`{}` is not used", v.name), "never read")
          .help.push_back(v.what == variable::kind::pattern ? "`_` takes an element that nobody needs"
                                                            : "a name that begins with `_` is not warned of");
  }
  visible_.resize(begins_.back());
  begins_.pop_back();
}

void environment::say_unknown(const form& f) {
  if (!told_.insert(f.word).second) return;
  diagnostic& d = said_.error(30, f.where, fmt::format("`{}` is not known here", f.word), "no variable of this name");
  if (program_.find_class(f.word) != nullptr) {
    d.help.push_back(fmt::format("`{}` is a class; (new {}) makes an object of it", f.word, f.word));
  } else if (program_.find_function(f.word) != nullptr || find_library_function(f.word) != nullptr) {
    d.help.push_back(fmt::format("`{}` is a function; a call stands in brackets: ({} ...)", f.word, f.word));
  } else if (const special_form* const special = find_special_form(f.word)) {
    d.help.push_back(fmt::format("`{}` is a form, which stands in brackets: {}", f.word, special->usage));
  } else if (const std::string meant = nearest(f.word, names_in_sight()); !meant.empty()) {
    d.help.push_back(fmt::format("did you mean `{}`?", meant));
  } else if (const char* const here = value_said_here(f.word)) {
    d.help.push_back(here);
  }
}

}  // namespace abcl
