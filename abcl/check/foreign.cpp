// Functions and classes of C++: (foreign "header.hpp" "source.cpp" ... declaration ...). They are declared as those of
// the program are; where these have a body, they have their name in C++.
#include <fmt/format.h>

#include <cctype>

#include "abcl/check/checker.hpp"

namespace abcl {
namespace {

constexpr const char* foreign_usage =
    "it is (foreign \"header.hpp\" (function (name (Type argument) ...) Type \"name in C++\") ...)";
constexpr const char* function_usage =
    "a function of C++ is (function (name (Type argument) ...) Type \"name in C++\")";
constexpr const char* class_usage =
    "a class of C++ is [class Name (obj [:method Type ...] ...) ((Type argument) ...) \"name in C++\"]";

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

}  // namespace

void checker::declare_foreign(const form& f, bool damaged) {
  std::size_t next = 1;
  for (; next < f.parts.size() && f.parts[next].is(form::kind::text); ++next)
    program_.foreign.push_back({f.parts[next].where, f.parts[next].text, next == 1});
  const bool named = next > 1;
  if (!named && !damaged) {
    said_
        .error(24, f.parts.size() > 1 ? f.parts[1].where : f.where, "`foreign` begins with the name of a header of C++",
               "\"header.hpp\" or \"<header>\" is expected")
        .help.push_back(foreign_usage);
    if (f.parts.size() > 1 && f.parts[1].is(form::kind::symbol)) ++next;
  }
  if (named && next == f.parts.size() && !damaged)
    said_.error(24, f.where, "`foreign` declares functions and classes of C++", "nothing is declared")
        .help.push_back(foreign_usage);
  for (; next < f.parts.size(); ++next) {
    const form& d = f.parts[next];
    const std::size_t classes = class_texts_.size(), functions = function_texts_.size();
    if (d.is(form::kind::square) && d.begins_with("class")) {
      declare_class(d, damaged);
    } else if (d.is(form::kind::round) && d.begins_with("function")) {
      declare_function(d, damaged);
    } else if (!damaged) {
      diagnostic& said = said_.error(24, d.where, "`foreign` declares functions and classes of C++", "neither of them");
      said.help.push_back(d.begins_with("class") ? class_usage : function_usage);
    }
    if (class_texts_.size() > classes) class_texts_.back().foreign = true;
    if (function_texts_.size() > functions) function_texts_.back().foreign = true;
  }
}

std::string checker::cpp_name_of(const form& f, const char* usage) {
  if (!f.is(form::kind::text)) {
    said_.error(24, f.where, "the name in C++ is expected", "\"ns::name\"").help.push_back(usage);
  } else if (!is_cpp_name(f.text)) {
    said_.error(24, f.where, "this is no name in C++", "a name with its namespaces, as \"std::gcd\", is expected");
  } else {
    return f.text.starts_with("::") ? f.text : "::" + f.text;
  }
  return "::unknown";
}

void checker::read_foreign_body(class_text& c) {
  const form& f = *c.from;
  if (c.body >= f.parts.size()) {
    said_
        .error(24, c.of->name_where, fmt::format("class `{}` of C++ has no name there", c.of->name),
               "its last part is \"ns::name\"")
        .help.push_back(class_usage);
    return;
  }
  c.of->cpp = cpp_name_of(f.parts[c.body], class_usage);
  if (f.parts[c.body].is(form::kind::text) && c.body + 1 < f.parts.size())
    said_
        .error(24, f.parts[c.body + 1].where, fmt::format("class `{}` of C++ has its body there", c.of->name),
               "nothing is expected behind its name")
        .help.push_back(class_usage);
}

void checker::read_foreign_body(function_text& f) {
  f.of->cpp = cpp_name_of(f.from->parts[3], function_usage);
  f.of->acts = true;  // nobody knows
  if (f.from->parts[3].is(form::kind::text) && f.from->parts.size() > 4)
    said_
        .error(24, f.from->parts[4].where, fmt::format("function `{}` of C++ has its body there", f.of->name),
               "nothing is expected behind its name")
        .help.push_back(function_usage);
  for (std::size_t i = 0; i < f.of->arguments.size(); ++i)
    expect_travels(f.of->arguments[i]->of, f.from->parts[1].parts[i + 1]);
  expect_travels(f.of->result, f.from->parts[2]);
}

}  // namespace abcl
