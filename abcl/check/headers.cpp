#include "abcl/check/headers.hpp"

#include <fmt/format.h>

#include "abcl/check/names.hpp"
#include "abcl/check/usage.hpp"

namespace abcl {
namespace {

bool names_type(const context& at, const form& f) {
  return f.is(form::kind::symbol) && (f.word == "Int" || f.word == "Float" || f.word == "Bool" || f.word == "Str" ||
                                      at.program.find_class(f.word) != nullptr || at.type_forms.is_alias(f));
}

// (n Int)
bool is_swapped(const context& at, const form& f) {
  const form& first = f.parts[0];
  return first.is(form::kind::symbol) && !is_reserved(first.word) && at.program.find_class(first.word) == nullptr &&
         !at.type_forms.is_alias(first) && names_type(at, f.parts[1]);
}

bool is_parameter(const context& at, const form& f) {
  if (!f.is(form::kind::round) || f.parts.size() != 2) {
    at.said.error(13, f.where, "an argument is a type and a name", "(Type name) is expected")
        .help.push_back("for example (Int n)");
    return false;
  }
  if (!is_swapped(at, f)) return true;
  at.said.error(13, f.where, "the type stands before the name",
                fmt::format("({} {}) is expected", f.parts[1].word, f.parts[0].word));
  return false;
}

// An argument (Type name), or one without a name in its place.
variable* parameter(const context& at, variable::kind what, const form& f) {
  if (is_parameter(at, f)) {
    const type* const of = at.type_forms.type_of(f.parts[0]);
    return at.names.declare(what, f.parts[1], of);
  }
  at.names.declare_what_may_be_meant(f);
  return at.names.nameless();
}

// Reads the creation arguments, the part of the class at which its body would begin. Gives what is missing, if it is
// something else; else null.
const char* read_arguments(const context& at, class_text& c) {
  const form& f = *c.from;
  if (f.parts.size() <= c.body || !f.parts[c.body].is(form::kind::round)) return "list of creation arguments";
  if (f.parts[c.body].is_form("state") || f.parts[c.body].is_form("script"))
    return "list of creation arguments, which may be `()`";
  c.arguments = &f.parts[c.body++];
  for (const form& p : c.arguments->parts) {
    c.of->arguments.push_back(parameter(at, variable::kind::creation_argument, p));
    at.type_forms.expect_travels(c.of->arguments.back()->of, p);
  }
  return nullptr;
}

const char* read_parts(const context& at, class_text& c) {
  const form& f = *c.from;
  if (f.parts.size() > c.body && at.type_forms.is_alias(f.parts[c.body])) {
    const type* const of = at.type_forms.named_interface(f.parts[c.body++], &c.of->messages);
    if (of->is_error()) {
      at.types.set_open(c.of->of);  // what it understands is not known
      c.damaged = true;
    } else {
      c.of->interface = of;
    }
    return read_arguments(at, c);
  }
  if (f.parts.size() <= c.body || !f.parts[c.body].is_form("obj")) return "interface";
  c.of->interface = at.type_forms.interface_of(f.parts[c.body++], &c.of->messages);
  return read_arguments(at, c);
}

}  // namespace

void read_header(const context& at, class_text& c) {
  if (c.damaged) at.types.set_open(c.of->of);
  const environment::scope scope(at.names);
  if (const char* const missing = read_parts(at, c)) {
    at.types.set_open(c.of->of);
    if (!c.damaged)
      at.said
          .error(11, c.of->name_where, fmt::format("class `{}` has no {}", c.of->name, missing),
                 "expected behind the name")
          .help.push_back(usage::a_class);
    c.damaged = true;
  }
  at.types.set_interface(c.of->of, c.of->interface);
}

void read_header(const context& at, function_text& f) {
  const std::vector<form>& header = f.from->parts[1].parts;
  const environment::scope scope(at.names);
  for (std::size_t i = 1; i < header.size(); ++i)
    f.of->arguments.push_back(parameter(at, variable::kind::argument, header[i]));
  if (f.from->parts.size() >= 4) {
    f.of->result = at.type_forms.type_of(f.from->parts[2]);
  } else if (f.foreign && !f.damaged) {
    at.said.error(24, f.of->name_where, fmt::format("function `{}` of C++ is not complete", f.of->name),
                  "a type and its name in C++ are expected behind its arguments");
  } else if (!f.damaged) {
    at.said
        .error(12, f.of->name_where, fmt::format("function `{}` is not complete", f.of->name),
               "a type and a value are expected behind its arguments")
        .help.push_back(usage::a_function);
  }
}

}  // namespace abcl
