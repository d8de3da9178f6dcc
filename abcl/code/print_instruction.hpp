// How one instruction is printed: by the operands of its shape (code.cpp).
#pragma once

#include <fmt/format.h>

#include "abcl/code/names.hpp"

namespace abcl::code {

// A text between quotes, on one line.
std::string quoted_line(std::string_view text);
std::string shown_value(value v, bool is_virtual);
// Word k of `base`, by its name if it has one.
std::string shown_word(value base, std::int64_t k);

// `block_name` names a block or an address.
std::string shown(const instruction& i, const names& by, const auto& block_name) {
  const shape& s = shape_of(i.what);
  std::string out(s.name);
  std::string rest;
  const auto table = [&](const auto* of, std::int64_t k, std::string_view kind) {
    if (of == nullptr || k < 0 || static_cast<std::size_t>(k) >= of->size()) return fmt::format("{}{}", kind, k);
    using element = std::decay_t<decltype((*of)[0])>;
    if constexpr (std::is_same_v<element, std::string>) {
      return (*of)[static_cast<std::size_t>(k)];
    } else {
      return (*of)[static_cast<std::size_t>(k)].name;
    }
  };
  if (i.what == opcode::service) {
    const auto what = static_cast<std::size_t>(i.k);
    if (i.d >= 0) rest += shown_value(i.d, by.virtual_values) + ", ";
    rest += service_names[what];
    for (const value v : {i.a, i.b, i.c}) {
      if (v >= 0) rest += ' ' + shown_value(v, by.virtual_values);
    }
    if (i.u >= 0) rest += fmt::format(" {}", i.u);
    return out + ' ' + rest;
  }
  for (std::size_t at = 0; at < s.operands.size(); ++at) {
    const char c = s.operands[at];
    const bool word =
        c >= 'a' && c <= 'z' && at + 1 < s.operands.size() && s.operands[at + 1] >= 'a' && s.operands[at + 1] <= 'z';
    if (word) {  // "then", "at", ..
      while (at < s.operands.size() && s.operands[at] >= 'a' && s.operands[at] <= 'z') rest += s.operands[at++];
      --at;
      continue;
    }
    switch (c) {
      case 'd':
        rest += shown_value(i.d, by.virtual_values);
        break;
      case 'a':
        rest += shown_value(i.a, by.virtual_values);
        break;
      case 'b':
        rest += shown_value(i.b, by.virtual_values);
        break;
      case 'c':
        rest += shown_value(i.c, by.virtual_values);
        break;
      case 'o':
        rest += i.b >= 0 ? shown_value(i.b, by.virtual_values) : fmt::format("{}", i.k);
        break;
      case 'k':
        rest += at > 0 && s.operands[at - 1] == '[' ? shown_word(i.a, i.k)
                : i.what == opcode::keep_place      ? shown_word(segment, i.k)
                                                    : fmt::format("{}", i.k);
        break;
      case 't':
        if (i.t < 0) {  // a call in a sequence, which comes back behind it
          rest.resize(rest.rfind(", then "));
        } else {
          rest += block_name(i.t);
        }
        break;
      case 'u':
        if (i.u < 0) {  // a branch in a sequence; or a wait that is not interrupted
          rest.resize(rest.rfind(rest.ends_with(" else ") ? " else " : ", again "));
        } else {
          rest += block_name(i.u);
        }
        break;
      case 'S':
        rest += table(by.selectors, i.k, "selector ");
        break;
      case 'C':
        rest += table(by.classes, i.k, "class ");
        break;
      case 'F':
        rest += table(by.functions, i.k, "function ");
        break;
      case 'X':
        rest += by.strings == nullptr ? fmt::format("text {}", i.k)
                                      : quoted_line((*by.strings)[static_cast<std::size_t>(i.k)]);
        break;
      case 'E':
        rest += entry_names[static_cast<std::size_t>(i.k)];
        break;
      case 'R':
        rest += reactive_names[static_cast<std::size_t>(i.k)];
        break;
      case 'H': {
        const auto handler = static_cast<std::size_t>(i.k & 0xff);
        rest += handler_names[handler];
        if (handler == static_cast<std::size_t>(code::handler::create)) {
          rest += ' ' + table(by.classes, i.k >> 8, "class ");
        } else if (i.k >> 8 != 0) {
          rest += fmt::format(" {}", i.k >> 8);
        }
        break;
      }
      case 'L':
        rest += fmt::format("layout {}", i.u);
        break;
      default:
        rest += c;
    }
  }
  // A value that nobody takes.
  if (rest.starts_with(", ")) rest.erase(0, 2);
  return rest.empty() ? out : out + ' ' + rest;
}

}  // namespace abcl::code
