#include "abcl/check/declarations.hpp"

#include <fmt/format.h>

#include "abcl/check/limits.hpp"
#include "abcl/check/names.hpp"
#include "abcl/check/other_words.hpp"
#include "abcl/check/special_forms.hpp"
#include "abcl/check/usage.hpp"

namespace abcl {
namespace {

bool is_class(const form& f) { return f.is(form::kind::square) && f.begins_with("class"); }

// Says so if there is an `old` one with this name.
template <class Definition>
bool is_new(const Definition* old, const form& name, const char* what, diagnostics& said) {
  if (old == nullptr) return true;
  said.error(34, name.where, fmt::format("{} `{}` is defined twice", what, name.word), "again")
      .notes.push_back({old->name_where, "first here"});
  return false;
}

}  // namespace

void declarations::add(const form& f, bool damaged) {
  if (is_class(f)) return add_class(f, damaged, false);
  if (f.is_form("function")) return add_function(f, damaged, false);
  if (f.is_form("foreign")) return add_foreign(f, damaged);
  if (f.is_form("type")) return add_alias(f, damaged);
  if (f.is_form("use")) return;  // whoever gathers the files has seen to it
  if (damaged) return;
  diagnostic& d =
      said_.error(10, f.where, "a program consists of classes, functions and names of types", "none of them");
  if (f.is_form("class")) d.help.push_back("a class stands in square brackets: [class ...]");
  const bool has_word = f.is(form::kind::round) && !f.parts.empty() && f.parts[0].is(form::kind::symbol);
  if (const char* const here = has_word ? said_here(f.parts[0].word) : nullptr) d.help.push_back(here);
  if (f.is(form::kind::square) && f.begins_with("function"))
    d.help.push_back("a function stands in round brackets: (function ...)");
}

void declarations::add_class(const form& f, bool damaged, bool foreign) {
  if (f.parts.size() < 2) {
    if (!damaged)
      said_.error(11, f.where, "a class without a name", "its name is expected").help.push_back(usage::a_class);
    return;
  }
  const form& name = f.parts[1];
  if (!is_name(name, "a class", said_) || !is_new(program_.find_class(name.word), name, "class", said_) ||
      !is_new(program_.find_alias(name.word), name, "type", said_))
    return;
  if (classes_.size() == static_cast<std::size_t>(most_classes))
    said_.error(37, name.where, fmt::format("a program may have {} classes", most_classes), "one too many");
  class_def& c = program_.add_class(name.word);
  c.where = f.where;
  c.name_where = name.where;
  c.of = program_.types.a_class(c.name);
  c.interface = program_.types.object({});
  classes_.push_back({&c, &f, 2, damaged, foreign});
}

void declarations::add_function(const form& f, bool damaged, bool foreign) {
  const bool has_header = f.parts.size() >= 2 && f.parts[1].is(form::kind::round) && !f.parts[1].parts.empty();
  if (!has_header) {
    if (!damaged)
      said_.error(12, f.where, "a function without a name", "(Name (Type argument) ...) is expected")
          .help.push_back(usage::a_function);
    return;
  }
  const form& name = f.parts[1].parts[0];
  if (!is_name(name, "a function", said_) || !is_new(program_.find_function(name.word), name, "function", said_))
    return;
  if (find_special_form(name.word) != nullptr || name.word == "type") {
    said_.error(35, name.where, fmt::format("`{}` cannot be the name of a function", name.word),
                "means something else");
    return;
  }
  function_def& made = program_.add_function(name.word);
  made.where = f.where;
  made.name_where = name.where;
  made.result = program_.types.unknown;
  functions_.push_back({&made, &f, damaged, foreign});
}

void declarations::add_alias(const form& f, bool damaged) {
  if (f.parts.size() != 3) {
    if (!damaged)
      said_.error(25, f.where, "a name for a type is a name and a type", "(type Name Type) is expected")
          .help.push_back(usage::an_alias);
    return;
  }
  const form& name = f.parts[1];
  if (!is_name(name, "a type", said_) || !is_new(program_.find_class(name.word), name, "type", said_) ||
      !is_new(program_.find_alias(name.word), name, "type", said_))
    return;
  type_alias& made = program_.add_alias(name.word);
  made.where = f.where;
  made.name_where = name.where;
  aliases_.push_back({&made, &f});
}

std::size_t declarations::add_foreign_files(const form& f, bool damaged) {
  std::size_t next = 1;
  for (; next < f.parts.size() && f.parts[next].is(form::kind::text); ++next)
    program_.foreign.push_back({f.parts[next].where, f.parts[next].text, next == 1});
  if (next > 1 && next == f.parts.size() && !damaged)
    said_.error(24, f.where, "`foreign` declares functions and classes of C++", "nothing is declared")
        .help.push_back(usage::foreign);
  if (next > 1 || damaged) return next;
  const bool has_parts = f.parts.size() > 1;
  said_
      .error(24, has_parts ? f.parts[1].where : f.where, "`foreign` begins with the name of a header of C++",
             "\"header.hpp\" or \"<header>\" is expected")
      .help.push_back(usage::foreign);
  return has_parts && f.parts[1].is(form::kind::symbol) ? 2 : 1;
}

void declarations::add_foreign(const form& f, bool damaged) {
  for (std::size_t i = add_foreign_files(f, damaged); i < f.parts.size(); ++i) {
    const form& d = f.parts[i];
    if (is_class(d)) {
      add_class(d, damaged, true);
    } else if (d.is_form("function")) {
      add_function(d, damaged, true);
    } else if (!damaged) {
      said_.error(24, d.where, "`foreign` declares functions and classes of C++", "neither of them")
          .help.push_back(d.begins_with("class") ? usage::foreign_class : usage::foreign_function);
    }
  }
}

}  // namespace abcl
