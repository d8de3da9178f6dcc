#include "abcl/check/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace abcl {
namespace {

// In the order of the letters.
constexpr std::array<std::string_view, 57> reserved = {
    "@",        "Bool",     "Float",   "Int",     "Str",   "_",          "and",    "aref",       "array",
    "atomic",   "begin",    "break",   "class",   "cond",  "exit",       "false",  "float",      "for",
    "foreign",  "function", "future",  "if",      "int",   "length",     "let",    "make-array", "make-future",
    "match",    "me",       "mod",     "my-node", "new",   "next-value", "nil",    "non-resume", "not",
    "null?",    "num-node", "obj",     "or",      "print", "ready?",     "script", "sqrt",       "state",
    "str",      "subarray", "suicide", "sync",    "sync*", "sync2",      "touch",  "true",       "use",
    "wait-for", "where",    "while"};
static_assert(std::is_sorted(reserved.begin(), reserved.end()));

}  // namespace

bool is_reserved(std::string_view word) { return std::binary_search(reserved.begin(), reserved.end(), word); }

bool is_operator(std::string_view word) { return word.find_first_not_of("<>=:+-*/@") == std::string_view::npos; }

bool is_name(const form& f, const char* of_what, diagnostics& said) {
  if (!f.is(form::kind::symbol)) {
    said.error(13, f.where, fmt::format("the name of {} is expected", of_what), "this is no name");
    return false;
  }
  if (is_reserved(f.word) || is_operator(f.word) || f.word == "$") {
    said.error(35, f.where, fmt::format("`{}` cannot be the name of {}", f.word, of_what), "means something else");
    return false;
  }
  return true;
}

}  // namespace abcl
