// Classes and functions: their headers first, so that bodies may name those that come later.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "abcl/check/analysis.hpp"
#include "abcl/check/checker.hpp"

namespace abcl {

class_def& program::add_class(std::string_view name) {
  class_def& made = classes.emplace_back();
  made.name = name;
  class_of_[name] = &made;
  return made;
}

function_def& program::add_function(std::string_view name) {
  function_def& made = functions.emplace_back();
  made.name = name;
  function_of_[name] = &made;
  return made;
}

class_def* program::find_class(std::string_view name) const {
  const auto found = class_of_.find(name);
  return found == class_of_.end() ? nullptr : found->second;
}

function_def* program::find_function(std::string_view name) const {
  const auto found = function_of_.find(name);
  return found == function_of_.end() ? nullptr : found->second;
}

std::unique_ptr<program> check(const std::vector<const forms*>& files, diagnostics& into) {
  auto made = std::make_unique<program>();
  checker(*made, into).run(files);
  return made;
}

void checker::run(const std::vector<const forms*>& files) {
  for (const forms* file : files) {
    // A program that is used brings its classes along, but for its own begin.
    const auto begins = [](const form& f) {
      return f.begins_with("class") && f.parts.size() > 1 && f.parts[1].is_symbol("Main");
    };
    for (std::size_t i = 0; i < file->all.size(); ++i) {
      if (file == files.front() || !begins(file->all[i])) declare(file->all[i], file->damaged[i]);
    }
  }
  for (class_text& c : class_texts_) read_header(c);
  for (function_text& f : function_texts_) read_header(f);
  for (function_text& f : function_texts_) read_body(f);
  for (class_text& c : class_texts_) read_body(c);
  find_effects(program_);
  forbid_looking_outside_in_guards();
}

namespace {

constexpr const char* class_usage =
    "a class is [class Name (obj [message ...] ...) ((Type argument) ...) (state (Type name := value) ...) form ...]";
constexpr const char* function_usage = "a function is (function (Name (Type argument) ...) ResultType form ...)";

bool is_reserved(std::string_view name) {
  static constexpr std::array<std::string_view, 54> words = {
      "class",       "function", "foreign",    "use",   "obj",   "state",      "me",       "nil",    "true",
      "false",       "_",        "Int",        "Float", "Bool",  "Str",        "@",        "array",  "future",
      "if",          "begin",    "while",      "for",   "let",   "sync",       "sync2",    "sync*",  "match",
      "script",      "new",      "wait-for",   "exit",  "touch", "next-value", "ready?",   "atomic", "print",
      "make-future", "suicide",  "make-array", "aref",  "null?", "my-node",    "num-node", "where",  "and",
      "or",          "not",      "mod",        "sqrt",  "int",   "float",      "str",      "length", "non-resume"};
  return std::find(words.begin(), words.end(), name) != words.end();
}

}  // namespace

void checker::declare(const form& f, bool damaged) {
  if (f.is(form::kind::square) && f.begins_with("class")) return declare_class(f, damaged);
  if (f.is(form::kind::round) && f.begins_with("function")) return declare_function(f, damaged);
  if (f.is(form::kind::round) && f.begins_with("foreign")) return declare_foreign(f, damaged);
  if (f.is(form::kind::round) && f.begins_with("use")) return;  // whoever gathers the files has seen to it
  if (damaged) return;
  diagnostic& d = said_.error(10, f.where, "a program consists of classes and functions", "neither of them");
  if (f.is(form::kind::round) && f.begins_with("class"))
    d.help.push_back("a class stands in square brackets: [class ...]");
  if (f.is(form::kind::square) && f.begins_with("function"))
    d.help.push_back("a function stands in round brackets: (function ...)");
}

bool checker::is_name(const form& f, const char* of_what) {
  if (!f.is(form::kind::symbol)) {
    said_.error(13, f.where, fmt::format("the name of {} is expected", of_what), "this is no name");
    return false;
  }
  if (is_reserved(f.word) || f.word == "$" || f.word.find_first_not_of("<>=:+-*/@") == std::string_view::npos) {
    said_.error(35, f.where, fmt::format("`{}` cannot be the name of {}", f.word, of_what), "means something else");
    return false;
  }
  return true;
}

template <class T>
bool checker::is_new(const T* old, const form& name, const char* what) {
  if (old == nullptr) return true;
  said_.error(34, name.where, fmt::format("{} `{}` is defined twice", what, name.word), "again")
      .notes.push_back({old->name_where, "first here"});
  return false;
}

void checker::declare_class(const form& f, bool damaged) {
  if (f.parts.size() < 2) {
    if (!damaged)
      said_.error(11, f.where, "a class without a name", "its name is expected").help.push_back(class_usage);
    return;
  }
  const form& name = f.parts[1];
  if (!is_name(name, "a class") || !is_new(program_.find_class(name.word), name, "class")) return;
  class_def& c = program_.add_class(name.word);
  c.where = f.where;
  c.name_where = name.where;
  c.of = types_.a_class(c.name);
  c.interface = types_.object({});
  class_texts_.push_back({&c, &f, 2, damaged});
}

void checker::declare_function(const form& f, bool damaged) {
  const bool has_header = f.parts.size() >= 2 && f.parts[1].is(form::kind::round) && !f.parts[1].parts.empty();
  if (!has_header) {
    if (!damaged)
      said_.error(12, f.where, "a function without a name", "(Name (Type argument) ...) is expected")
          .help.push_back(function_usage);
    return;
  }
  const form& name = f.parts[1].parts[0];
  if (!is_name(name, "a function") || !is_new(program_.find_function(name.word), name, "function")) return;
  if (specials().contains(name.word)) {
    said_.error(35, name.where, fmt::format("`{}` cannot be the name of a function", name.word),
                "means something else");
    return;
  }
  function_def& made = program_.add_function(name.word);
  made.where = f.where;
  made.name_where = name.where;
  made.result = types_.unknown;
  function_texts_.push_back({&made, &f, damaged});
}

void checker::declare_names_of(const form& f) {
  const auto declare_it = [&](const form& name) {
    if (!name.is(form::kind::symbol) || is_reserved(name.word) || program_.find_class(name.word) != nullptr) return;
    if (name.word.find_first_not_of("<>=:+-*/@") == std::string_view::npos) return;
    variable& v = program_.variables.emplace_back();
    v.what = variable::kind::state;
    v.name = name.word;
    v.of = types_.unknown;
    v.where = name.where;
    scopes_.back().emplace(v.name, &v);
  };
  declare_it(f);
  for (const form& part : f.parts) declare_it(part);
}

bool checker::expect_parameter(const form& f) {
  if (f.is(form::kind::round) && f.parts.size() == 2) {
    // (n Int)
    const bool swapped = f.parts[0].is(form::kind::symbol) && !is_reserved(f.parts[0].word) &&
                         program_.find_class(f.parts[0].word) == nullptr && f.parts[1].is(form::kind::symbol) &&
                         (program_.find_class(f.parts[1].word) != nullptr || f.parts[1].word == "Int" ||
                          f.parts[1].word == "Float" || f.parts[1].word == "Bool" || f.parts[1].word == "Str");
    if (!swapped) return true;
    said_.error(13, f.where, "the type stands before the name",
                fmt::format("({} {}) is expected", f.parts[1].word, f.parts[0].word));
    declare_names_of(f);
    return false;
  }
  declare_names_of(f);
  said_.error(13, f.where, "an argument is a type and a name", "(Type name) is expected")
      .help.push_back("for example (Int n)");
  return false;
}

void checker::read_header(class_text& c) {
  const form& f = *c.from;
  if (c.damaged) types_.set_open(c.of->of);
  const auto missing = [&](const char* what) {
    types_.set_open(c.of->of);
    if (!c.damaged)
      said_
          .error(11, c.of->name_where, fmt::format("class `{}` has no {}", c.of->name, what),
                 "expected behind the name")
          .help.push_back(class_usage);
    c.damaged = true;
  };
  begin_scope();
  if (f.parts.size() <= c.body || !f.parts[c.body].is_form("obj")) {
    missing("interface");
  } else {
    c.of->interface = type_of_object(f.parts[c.body++], &c.of->messages);
    if (!c.of->interface->is(type::kind::object)) c.of->interface = types_.object({});
    if (f.parts.size() <= c.body || !f.parts[c.body].is(form::kind::round)) {
      missing("list of creation arguments");
    } else if (f.parts[c.body].is_form("state") || f.parts[c.body].is_form("script")) {
      missing("list of creation arguments, which may be `()`");
    } else {
      c.arguments = &f.parts[c.body];
      for (const form& p : f.parts[c.body].parts) {
        if (!expect_parameter(p)) {
          c.of->arguments.push_back(&program_.variables.emplace_back());
          c.of->arguments.back()->of = types_.unknown;
          continue;
        }
        c.of->arguments.push_back(declare(variable::kind::creation_argument, p.parts[1], type_of(p.parts[0])));
        expect_travels(c.of->arguments.back()->of, p);
      }
      ++c.body;
    }
  }
  scopes_.pop_back();
  types_.set_interface(c.of->of, c.of->interface);
}

void checker::read_header(function_text& f) {
  const std::vector<form>& header = f.from->parts[1].parts;
  begin_scope();
  for (std::size_t i = 1; i < header.size(); ++i) {
    if (expect_parameter(header[i])) {
      f.of->arguments.push_back(declare(variable::kind::argument, header[i].parts[1], type_of(header[i].parts[0])));
    } else {
      f.of->arguments.push_back(&program_.variables.emplace_back());
      f.of->arguments.back()->of = types_.unknown;
    }
  }
  scopes_.pop_back();
  if (f.from->parts.size() >= 4) {
    f.of->result = type_of(f.from->parts[2]);
  } else if (f.foreign && !f.damaged) {
    said_.error(24, f.of->name_where, fmt::format("function `{}` of C++ is not complete", f.of->name),
                "a type and its name in C++ are expected behind its arguments");
  } else if (!f.damaged) {
    said_
        .error(12, f.of->name_where, fmt::format("function `{}` is not complete", f.of->name),
               "a type and a value are expected behind its arguments")
        .help.push_back(function_usage);
  }
}

void checker::read_state(class_def& c, const form& f) {
  in_initial_ = true;
  for (std::size_t i = 1; i < f.parts.size(); ++i) {
    const form& s = f.parts[i];
    const bool plain = s.parts.size() == 2;
    const bool with_value = s.parts.size() == 4 && s.parts[2].is_symbol(":=");
    if (!s.is(form::kind::round) || (!plain && !with_value)) {
      said_.error(14, s.where, "a state variable is a type, a name and, if one likes, a value",
                  "(Type name) or (Type name := value) is expected");
      declare_names_of(s);
      continue;
    }
    const type* const of = type_of(s.parts[0]);
    expression_ptr first;
    if (with_value) first = value_as(s.parts[3], of, fmt::format("state variable `{}`", s.parts[1].word));
    c.state.push_back(declare(variable::kind::state, s.parts[1], of));
    c.initial.push_back(std::move(first));
  }
  in_initial_ = false;
}

void checker::read_body(class_text& c) {
  if (c.damaged) return;
  if (c.foreign) return read_foreign_body(c);
  const form& f = *c.from;
  in_class_ = c.of;
  answers_ = nullptr;
  accepted_.clear();
  unknown_.clear();
  script_is_wrong_ = false;
  begin_scope();
  for (variable* a : c.of->arguments) scopes_.back().emplace(a->name, a);
  if (c.arguments != nullptr) {
    for (const form& p : c.arguments->parts) {
      if (p.parts.size() != 2 || c.of->arguments.empty()) declare_names_of(p);
    }
  }
  if (c.body < f.parts.size() && f.parts[c.body].is_form("state")) read_state(*c.of, f.parts[c.body++]);
  begin_scope();
  for (std::size_t i = c.body; i < f.parts.size(); ++i) {
    const bool is_script = f.parts[i].is_form("script");
    if (is_script && i + 1 < f.parts.size())
      said_.error(57, f.parts[i + 1].where, "a form behind `script` is never reached", "this one")
          .notes.push_back({f.parts[i].parts[0].where, "from here on the object only takes messages"});
    script_may_stand_ = true;
    c.of->body.push_back(any_value(f.parts[i], nullptr));
    script_may_stand_ = false;
    warn_if_ignored(*c.of->body.back());
  }
  end_scope();
  require_all_clauses();
  scopes_.pop_back();
  in_class_ = nullptr;
}

void checker::read_body(function_text& f) {
  if (f.damaged || f.from->parts.size() < 4) return;
  if (f.foreign) return read_foreign_body(f);
  in_function_ = true;
  answers_ = nullptr;
  unknown_.clear();
  begin_scope();
  for (variable* a : f.of->arguments) scopes_.back().emplace(a->name, a);
  for (const form& p : f.from->parts[1].parts) declare_names_of(p);
  const form& last = f.from->parts.back();
  const type* const of = sequence(*f.from, 3, f.of->body, f.of->result);
  if (!types_.fits(of, f.of->result))
    mismatch(*f.of->body.back(), last, f.of->result, fmt::format("the result of `{}`", f.of->name));
  scopes_.pop_back();
  in_function_ = false;
}

}  // namespace abcl
