#include "abcl/repl/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "abcl/check/limits.hpp"
#include "abcl/code/print.hpp"
#include "abcl/load/files.hpp"
#include "abcl/registers/passes.hpp"
#include "abcl/registers/print.hpp"

namespace abcl::repl {
namespace {

constexpr std::string_view value_variable = "(the value)";

form symbol(std::string_view word, span where) {
  form f;
  f.where = where;
  f.word = word;
  return f;
}

form brackets(form::kind what, std::vector<form> parts, span where) {
  form f;
  f.what = what;
  f.where = where;
  f.parts = std::move(parts);
  return f;
}
form round(std::vector<form> parts, span where) { return brackets(form::kind::round, std::move(parts), where); }
form square(std::vector<form> parts, span where) { return brackets(form::kind::square, std::move(parts), where); }

// A type as it is written; nothing if it cannot be. `nil` within a tuple is of any object.
std::optional<form> form_of(const type* t, span where) {
  const auto with_parts = [&](form made) -> std::optional<form> {
    for (const type* part : t->parts) {
      std::optional<form> f = form_of(part, where);
      if (!f) return std::nullopt;
      made.parts.push_back(std::move(*f));
    }
    return made;
  };
  const auto named = [&](const char* name) { return with_parts(round({symbol(name, where)}, where)); };
  switch (t->what) {
    case type::kind::integer:
      return symbol("Int", where);
    case type::kind::real:
      return symbol("Float", where);
    case type::kind::boolean:
      return symbol("Bool", where);
    case type::kind::text:
      return symbol("Str", where);
    case type::kind::a_class:
      if (t->name == prompt_class) return round({symbol("obj", where)}, where);
      return symbol(kept_word(std::string(t->name)), where);
    case type::kind::object:
      return named("obj");
    case type::kind::reply:
      return named("@");
    case type::kind::array:
      return named("array");
    case type::kind::future:
      return named("future");
    case type::kind::message: {
      form made = square({}, where);
      if (!t->name.empty()) {
        made.parts.push_back(symbol(kept_word(std::string(t->name)), where));
        made.parts.back().what = form::kind::tag;
      }
      return with_parts(std::move(made));
    }
    case type::kind::nil:
      return round({symbol("obj", where)}, where);
    default:
      return std::nullopt;
  }
}

// Nothing of that type is known but that it may be nil.
bool is_of_nil(const type* t) {
  const bool holds = t->is(type::kind::array) || t->is(type::kind::future) || t->is(type::kind::reply);
  return t->is(type::kind::nil) || (holds && is_of_nil(t->of()));
}

bool has_value(const type* t) {
  return !is_of_nil(t) && !t->is_error() && !t->is(type::kind::nothing) &&
         !(t->is(type::kind::message) && t->parts.empty());
}

bool is_assignment_to_name(const form& f) {
  return f.is(form::kind::square) && f.parts.size() == 3 && f.parts[0].is(form::kind::symbol) &&
         f.parts[1].is_symbol(":=");
}

}  // namespace

// ---- errors

// Says whether there are none.
bool session::show(diagnostics& said, span warn) {
  said.sort();
  for (const diagnostic& d : said.all()) {
    only_earlier_ &= d.weight != severity::error || !input_.contains(d.where.begin);
    if (d.weight == severity::error || warn.contains(d.where.begin)) said_ += shown(d, texts_, color_) + '\n';
  }
  return !said.any_errors();
}

std::optional<session::checked_text> session::check_with(const definitions& all, const std::vector<form>& state,
                                                         const std::vector<form>& body, span where, span warn) {
  checked_text c;
  c.text = std::make_shared<forms>();
  for (const definition& d : all.all()) c.text->all.push_back(d.what);
  std::vector<form> parts = {symbol("class", where), symbol(prompt_class, where), round({symbol("obj", where)}, where),
                             round({}, where)};
  std::vector<form> state_parts = {symbol("state", where)};
  state_parts.insert(state_parts.end(), state.begin(), state.end());
  parts.push_back(round(std::move(state_parts), where));
  parts.insert(parts.end(), body.begin(), body.end());
  parts.push_back(round({symbol("suicide", where)}, where));  // by that one sees that it has come to its end
  c.text->all.push_back(square(std::move(parts), where));
  c.text->damaged.resize(c.text->all.size());
  diagnostics said;
  c.tree = check({c.text.get()}, said);
  if (!show(said, warn)) return std::nullopt;
  c.prompt = c.tree->find_class(prompt_class);
  return c;
}

// ---- definitions

const std::list<forms>& session::read_text(const std::string& name, std::string text, diagnostics& said) {
  std::list<forms>& into = read_.emplace_back();
  input_.begin = texts_.all().empty() ? 0 : texts_.all().back().end() + 1;
  read_files(name, std::move(text), texts_, into, said);
  input_.end = texts_.all().back().end() + 1;
  return into;
}

bool session::define(const std::vector<const forms*>& files) {
  diagnostics said;
  std::vector<definitions::addition> more;
  span where;
  for (const forms* file : files) {
    for (const form& f : file->all) {
      if (!is_definition(f)) continue;
      // Another program that is used leaves its own begin behind.
      if (file != files.front() && defines_class(f) && defined_name(f) == "Main") continue;
      if (f.is_form("foreign"))
        said.error(24, f.where, "the prompt has no compiler of C++", "`abcl run` takes programs with `foreign`");
      where = f.where;
      more.push_back({&f, texts_.of(f.where).text(f.where)});
    }
  }
  if (!show(said, input_)) return false;
  if (more.empty()) return true;
  definitions now = known_;
  std::vector<variable_of_session> variables = variables_;
  std::vector<form*> types;
  for (variable_of_session& v : variables) types.push_back(&v.type);
  now.add(more, types);
  now.forget({types.begin(), types.end()});
  std::swap(variables, variables_);
  only_earlier_ = true;
  const std::optional<checked_text> c = check_with(now, state_forms(variables_, where), {}, where, input_);
  if (!c) {
    std::swap(variables, variables_);
    if (only_earlier_)
      said_ += "Nothing has been defined: what uses the earlier definition does not fit. Give both in one input.\n";
    return false;
  }
  const auto fresh =
      std::count_if(now.all().begin(), now.all().end(), [](const definition& d) { return d.is_class && d.number < 0; });
  if (tables_.tables.classes.size() + static_cast<std::size_t>(fresh) > std::size_t{most_classes}) {
    std::swap(variables, variables_);
    said_ += fmt::format("Nothing has been defined: a session may have {} classes, earlier versions among them.\n",
                         most_classes);
    return false;
  }
  if (!compile(*c, now)) {
    std::swap(variables, variables_);
    return false;
  }
  known_ = std::move(now);
  return true;
}

bool session::compile(const checked_text& c, definitions& all) {
  if (tables_.tables.classes.empty()) tables_.tables.classes.resize(1);  // that of the prompt
  tables_.classes.clear();
  tables_.functions.clear();
  for (const definition& d : all.all()) {
    if (d.number < 0) continue;
    if (d.is_class) {
      tables_.classes[c.tree->find_class(d.name)] = d.number;
    } else {
      tables_.functions[c.tree->find_function(d.name)] = d.number;
    }
  }
  code::program made;
  try {
    made = more_messages(*c.tree, texts_, *c.prompt, 0, tables_);
  } catch (const std::length_error& e) {  // a type of messages too many
    said_ += fmt::format("error: {}\n", e.what());
    return false;
  }
  for (definition& d : all.all()) {
    if (d.number >= 0 || d.is_alias) continue;
    d.number = d.is_class ? tables_.classes.at(c.tree->find_class(d.name))
                          : tables_.functions.at(c.tree->find_function(d.name));
    const auto number = static_cast<std::size_t>(d.number);
    d.messages =
        made.texts[static_cast<std::size_t>(d.is_class ? made.classes[number].text : made.functions[number].text)];
  }
  registers::translate(made, {});
  code_ =
      std::make_shared<registers::image>(registers::link_more(made, code_ == nullptr ? registers::image() : *code_));
  return true;
}

std::shared_ptr<const registers::image> session::code() {
  if (code_ == nullptr) {
    texts_.add("nothing", "");
    if (const std::optional<checked_text> c = check_with(known_, {}, {}, {}, {})) compile(*c, known_);
  }
  return code_;
}

std::vector<form> session::read_input(std::string text) {
  diagnostics said;
  const std::list<forms>& read = read_text(fmt::format("input {}", ++inputs_), std::move(text), said);
  if (!show(said, input_)) return {};
  std::vector<const forms*> files;
  for (const forms& f : read) files.push_back(&f);
  if (!define(files)) return {};
  std::vector<form> rest;
  for (const form& f : read.front().all) {
    if (!is_definition(f) && !f.is_form("use")) rest.push_back(f);
  }
  return rest;
}

bool session::load(const std::string& path) {
  std::string text;
  try {
    text = text_of_file(path);
  } catch (const std::runtime_error& e) {
    said_ += fmt::format("abcl: {}\n", e.what());
    return false;
  }
  diagnostics said;
  const std::list<forms>& read = read_text(path, std::move(text), said);
  std::vector<const forms*> files;
  for (const forms& file : read) {
    files.push_back(&file);
    for (const form& f : file.all) {
      if (!is_definition(f) && !f.is_form("use") && !said.any_errors())
        said.error(10, f.where, "a file consists of classes, functions and names of types", "none of them")
            .help.push_back("expressions are typed at the prompt, or come from its standard input");
    }
  }
  return show(said, input_) && define(files);
}

// ---- expressions

std::vector<form> session::state_forms(const std::vector<variable_of_session>& of, span where) {
  std::vector<form> all;
  for (const variable_of_session& v : of) all.push_back(round({v.type, symbol(v.name, where)}, where));
  return all;
}

// Null if there is an error.
const type* session::type_of(const form& f) {
  const form begin = round({symbol("begin", f.where), f}, f.where);
  const std::optional<checked_text> c = check_with(known_, state_forms(variables_, f.where), {begin}, f.where, {});
  if (!c) return nullptr;
  asked_ = c->tree;
  return c->prompt->body.front()->of;
}

// What an input becomes in the object that executes it.
struct session::plan {
  std::vector<variable_of_session> variables;
  std::vector<form> body;
  std::vector<form> malformed;        // variables, of which the checker says what is wrong
  std::optional<form> type_of_value;  // none: it has no value to show
  const form* new_name = nullptr;     // where the user has written that of a new variable: errors point to it

  void define(std::string_view name, form type) {
    std::erase_if(variables, [&](const variable_of_session& v) { return v.name == name; });
    variables.push_back({name, std::move(type)});
  }
};

// (state (Type name := value) ...)
void session::plan_state(const form& f, plan& p) {
  for (std::size_t i = 1; i < f.parts.size(); ++i) {
    const form& v = f.parts[i];
    const bool with_value = v.parts.size() == 4 && v.parts[2].is_symbol(":=");
    if (!v.is(form::kind::round) || (v.parts.size() != 2 && !with_value) || !v.parts[1].is(form::kind::symbol)) {
      p.malformed.push_back(v);
      continue;
    }
    p.define(v.parts[1].word, v.parts[0]);
    if (with_value) p.body.push_back(square({v.parts[1], v.parts[2], v.parts[3]}, v.where));
  }
}

// [name := value], of a name that no variable has.
bool session::plan_new_variable(const form& f, plan& p) {
  const type* const of = type_of(f.parts[2]);
  if (of == nullptr) return false;
  std::optional<form> type = form_of(of, f.parts[2].where);
  if (!type || !has_value(of)) {
    diagnostics said;
    said.error(40, f.parts[2].where, fmt::format("what `{}` holds is not known", f.parts[0].word),
               fmt::format("this is {}", shown(of)))
        .help.push_back(fmt::format("(state (T {} := value)) makes a variable of type T", f.parts[0].word));
    show(said, input_);
    return false;
  }
  p.define(f.parts[0].word, std::move(*type));
  p.new_name = &f.parts[0];
  p.body.push_back(f);
  return true;
}

bool session::plan_expression(const form& f, plan& p) {
  const type* const of = type_of(f);
  if (of == nullptr) return false;
  p.type_of_value = has_value(of) ? form_of(of, f.where) : std::nullopt;
  p.body.push_back(p.type_of_value ? square({symbol(value_variable, f.where), symbol(":=", f.where), f}, f.where)
                                   : round({symbol("begin", f.where), f}, f.where));
  return true;
}

std::optional<session::plan> session::planned(const form& f) {
  plan p;
  p.variables = variables_;
  const auto is_known = [&](std::string_view name) {
    return std::any_of(variables_.begin(), variables_.end(),
                       [&](const variable_of_session& v) { return v.name == name; });
  };
  if (f.is_form("state")) {
    plan_state(f, p);
  } else if (is_assignment_to_name(f) && !is_known(f.parts[0].word)) {
    if (!plan_new_variable(f, p)) return std::nullopt;
  } else if (!plan_expression(f, p)) {
    return std::nullopt;
  }
  return p;
}

std::optional<step> session::prepare(const form& f) {
  std::optional<plan> p = planned(f);
  if (!p) return std::nullopt;
  std::vector<form> state = state_forms(p->variables, f.where);
  if (p->new_name != nullptr) state.back().parts[1] = *p->new_name;
  state.insert(state.end(), p->malformed.begin(), p->malformed.end());
  if (p->type_of_value) state.push_back(round({*p->type_of_value, symbol(value_variable, f.where)}, f.where));
  const std::optional<checked_text> c = check_with(known_, state, p->body, f.where, f.where);
  if (!c) return std::nullopt;

  if (!compile(*c, known_)) return std::nullopt;
  step s;
  s.code = code_;
  s.checked = c->tree;
  s.text = c->text;
  int at = code_->classes[0].first;
  for (std::size_t i = 0; i < p->variables.size(); ++i) {
    variable_of_session& v = p->variables[i];
    v.words = words_of(c->prompt->state[i]->of, true);
    if (v.at >= 0 && v.words > 0) s.copies.push_back({v.at, at, v.words});
    v.at = at;
    at += v.words;
  }
  if (p->type_of_value) {
    s.of = c->prompt->state[p->variables.size()]->of;
    s.value_at = at;
  }
  s.variables = std::move(p->variables);
  return s;
}

void session::has_run(const step& s, bool to_its_end) {
  std::vector<variable_of_session> now = s.variables;
  if (!to_its_end) {
    // Those that were there before, with their types: what this input has defined is not.
    std::erase_if(now, [&](const variable_of_session& v) {
      return std::none_of(s.copies.begin(), s.copies.end(), [&](const step::copy& c) { return c.to == v.at; }) &&
             v.words > 0;
    });
  }
  variables_ = std::move(now);
}

// ---- what is asked about

std::optional<std::string> session::type_of(std::string text) {
  diagnostics said;
  const std::list<forms>& read = read_text(fmt::format("input {}", ++inputs_), std::move(text), said);
  if (!show(said, input_)) return std::nullopt;
  std::string all;
  for (const form& f : read.front().all) {
    const type* const of = type_of(f);
    if (of == nullptr) return std::nullopt;
    all += (all.empty() ? "" : "\n") + (of->is(type::kind::nothing) ? std::string("no value") : shown(of));
  }
  return all;
}

// A class and a function may have the same name.
std::optional<std::string> session::shown_of(std::string_view name, const auto& shown) {
  std::optional<std::string> out;
  for (const bool is_class : {true, false}) {
    if (const definition* const d = known_.find(name, is_class)) out = out.value_or("") + shown(*d);
  }
  return out;
}

std::optional<std::string> session::messages_of(std::string_view name) {
  return shown_of(name, [&](const definition& d) {
    code::program only = tables_.tables;
    only.texts.push_back(d.messages);
    registers::figures f;
    registers::tidy(only.texts.back(), {}, f);
    return code::shown(only);
  });
}

std::optional<std::string> session::registers_of(std::string_view name) {
  return shown_of(name, [&](const definition& d) {
    const auto number = static_cast<std::size_t>(d.number);
    return registers::shown_text(*code_, d.is_class ? code_->classes[number].begin : code_->functions[number].begin);
  });
}

}  // namespace abcl::repl
