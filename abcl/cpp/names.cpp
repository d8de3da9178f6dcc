#include "abcl/cpp/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace abcl::cpp {
namespace {

constexpr std::array<std::string_view, 105> words_of_cpp = {
    "alignas",     "alignof",   "and",        "and_eq",    "asm",      "auto",         "bitand",
    "bitor",       "bool",      "break",      "case",      "catch",    "char",         "char8_t",
    "char16_t",    "char32_t",  "class",      "compl",     "concept",  "const",        "consteval",
    "constexpr",   "constinit", "const_cast", "continue",  "co_await", "co_return",    "co_yield",
    "decltype",    "default",   "delete",     "do",        "double",   "dynamic_cast", "else",
    "enum",        "explicit",  "export",     "extern",    "false",    "float",        "for",
    "friend",      "goto",      "if",         "inline",    "int",      "long",         "mutable",
    "namespace",   "new",       "noexcept",   "not",       "not_eq",   "nullptr",      "operator",
    "or",          "or_eq",     "private",    "protected", "public",   "register",     "reinterpret_cast",
    "requires",    "return",    "short",      "signed",    "sizeof",   "static",       "static_assert",
    "static_cast", "struct",    "switch",     "template",  "this",     "thread_local", "throw",
    "true",        "try",       "typedef",    "typeid",    "typename", "union",        "unsigned",
    "using",       "virtual",   "void",       "volatile",  "wchar_t",  "while",        "xor",
    "xor_eq",      "abcl",      "tsubu",      "std",       "sites",    "main",         "unix",
    "linux",       "errno",     "stdin",      "stdout",    "stderr",   "assert"};

bool is_word_of_cpp(std::string_view name) {
  return std::find(words_of_cpp.begin(), words_of_cpp.end(), name) != words_of_cpp.end();
}

}  // namespace

std::string cpp_name(std::string_view name, std::set<std::string>& taken) {
  std::string made;
  for (const char c : name) {
    const bool letter = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9');
    if (letter) {
      made += c;
    } else if (c == '-' || c == '_') {
      if (!made.ends_with('_')) made += '_';
    } else if (c == '?') {
      made += "_p";
    } else {
      made += fmt::format("x{:02x}", static_cast<unsigned char>(c));
    }
  }
  while (made.starts_with('_')) made.erase(0, 1);
  if (made.empty() || ('0' <= made[0] && made[0] <= '9')) made.insert(0, "n");
  std::string unique = made;
  // Macros, which the headers may have.
  const bool like_a_macro =
      made.size() > 1 && std::none_of(made.begin(), made.end(), [](char c) { return 'a' <= c && c <= 'z'; });
  if (like_a_macro) unique = made += "_v";
  for (int i = 2; is_word_of_cpp(unique) || taken.contains(unique); ++i) unique = fmt::format("{}_{}", made, i);
  taken.insert(unique);
  return unique;
}

name_scope::name_scope(std::set<std::string> taken, const std::map<const variable*, std::string>* members)
    : taken_(std::move(taken)), members_(members) {
  taken_.insert({"asker_1", "destination_1", "from_1", "value_1", "waits_for_", "express_"});
  if (members_ == nullptr) return;
  for (const auto& [v, name] : *members_) taken_.insert(name);
}

std::string name_scope::numbered(std::string_view name) {
  for (int i = 1;; ++i) {
    std::set<std::string> none;
    std::string made = cpp_name(fmt::format("{}-{}", name, i), none);
    if (taken_.insert(made).second) return made;
  }
}

cpp_value name_scope::value_of(const variable& v) {
  if (members_ != nullptr) {
    const auto member = members_->find(&v);
    if (member != members_->end()) return named(member->second);
  }
  const auto local = locals_.find(&v);
  if (local != locals_.end()) return local->second;
  const auto made = named(fresh(v.name.empty() ? std::string_view("unnamed") : v.name));
  return locals_.emplace(&v, made).first->second;
}

}  // namespace abcl::cpp
