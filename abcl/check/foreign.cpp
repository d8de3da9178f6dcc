#include "abcl/check/foreign.hpp"

#include <fmt/format.h>

#include <cctype>

#include "abcl/check/usage.hpp"

namespace abcl {
namespace {

// std::gcd, ::ns::pair<int, long>; so that nothing else gets into the text that the C++ compiler reads.
bool is_cpp_name(const std::string& name) {
  if (name.empty() || !(std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_' || name[0] == ':'))
    return false;
  for (const char c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && std::string_view("_:<>, ").find(c) == std::string_view::npos)
      return false;
  }
  return true;
}

std::string cpp_name_of(const context& at, const form& f, const char* usage) {
  if (!f.is(form::kind::text)) {
    at.said.error(24, f.where, "the name in C++ is expected", "\"ns::name\"").help.push_back(usage);
  } else if (!is_cpp_name(f.text)) {
    at.said.error(24, f.where, "this is no name in C++", "a name with its namespaces, as \"std::gcd\", is expected");
  } else {
    return f.text.starts_with("::") ? f.text : "::" + f.text;
  }
  return "::unknown";
}

}  // namespace

void read_foreign_body(const context& at, const class_text& c) {
  const form& f = *c.from;
  if (c.body >= f.parts.size()) {
    at.said
        .error(24, c.of->name_where, fmt::format("class `{}` of C++ has no name there", c.of->name),
               "its last part is \"ns::name\"")
        .help.push_back(usage::foreign_class);
    return;
  }
  c.of->cpp = cpp_name_of(at, f.parts[c.body], usage::foreign_class);
  if (f.parts[c.body].is(form::kind::text) && c.body + 1 < f.parts.size())
    at.said
        .error(24, f.parts[c.body + 1].where, fmt::format("class `{}` of C++ has its body there", c.of->name),
               "nothing is expected behind its name")
        .help.push_back(usage::foreign_class);
}

void read_foreign_body(const context& at, const function_text& f) {
  f.of->cpp = cpp_name_of(at, f.from->parts[3], usage::foreign_function);
  f.of->acts = true;  // nobody knows
  if (f.from->parts[3].is(form::kind::text) && f.from->parts.size() > 4)
    at.said
        .error(24, f.from->parts[4].where, fmt::format("function `{}` of C++ has its body there", f.of->name),
               "nothing is expected behind its name")
        .help.push_back(usage::foreign_function);
  for (std::size_t i = 0; i < f.of->arguments.size(); ++i)
    at.type_forms.expect_travels(f.of->arguments[i]->of, f.from->parts[1].parts[i + 1]);
  at.type_forms.expect_travels(f.of->result, f.from->parts[2]);
}

}  // namespace abcl
