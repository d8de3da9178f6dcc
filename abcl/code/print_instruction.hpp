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

// The operands of one instruction, one behind the other.
template <class BlockName>
class operands_text {
 public:
  operands_text(const instruction& i, const names& by, const BlockName& block_name)
      : i_(i), by_(by), block_name_(block_name) {}

  std::string run() {
    if (i_.what == opcode::service) {
      add_service();
      return std::move(out_);
    }
    const std::string_view form = shape_of(i_.what).operands;
    for (std::size_t at = 0; at < form.size();) {
      const std::size_t letters = letters_at(form, at);
      if (letters > 1) {  // "then", "at", ..
        out_ += form.substr(at, letters);
        at += letters;
      } else {
        add(form[at], at > 0 ? form[at - 1] : '\0');
        ++at;
      }
    }
    // A value that nobody takes.
    if (out_.starts_with(", ")) out_.erase(0, 2);
    return std::move(out_);
  }

 private:
  static std::size_t letters_at(std::string_view form, std::size_t at) {
    std::size_t end = at;
    while (end < form.size() && form[end] >= 'a' && form[end] <= 'z') ++end;
    return end - at;
  }

  void add(char operand, char before) {
    switch (operand) {
      case 'd':
        return add_value(i_.d);
      case 'a':
        return add_value(i_.a);
      case 'b':
        return add_value(i_.b);
      case 'c':
        return add_value(i_.c);
      case 'o':
        return i_.b >= 0 ? add_value(i_.b) : add_number("", i_.k);
      case 'k':
        return add_k(before);
      case 't':
        // None: a call in a sequence, which comes back behind it.
        return add_block(i_.t, ", then ");
      case 'u':
        // None: a branch in a sequence; or a wait that is not interrupted.
        return add_block(i_.u, out_.ends_with(" else ") ? " else " : ", again ");
      case 'L':
        return add_number("layout ", i_.u);
      case 'S':
      case 'C':
      case 'F':
      case 'X':
      case 'E':
      case 'R':
      case 'H':
        return add_name(operand);
      default:
        out_ += operand;
    }
  }

  // What k names.
  void add_name(char kind) {
    switch (kind) {
      case 'S':
        return add_row(by_.selectors, i_.k, "selector ");
      case 'C':
        return add_row(by_.classes, i_.k, "class ");
      case 'F':
        return add_row(by_.functions, i_.k, "function ");
      case 'X':
        if (by_.strings == nullptr) return add_number("text ", i_.k);
        out_ += quoted_line((*by_.strings)[static_cast<std::size_t>(i_.k)]);
        return;
      case 'E':
        out_ += entry_names[static_cast<std::size_t>(i_.k)].name;
        return;
      case 'R':
        out_ += reactive_names[static_cast<std::size_t>(i_.k)].name;
        return;
      default:
        add_handler();
    }
  }

  void add_value(value v) { out_ += shown_value(v, by_.virtual_values); }
  void add_number(std::string_view kind, std::int64_t n) { out_ += fmt::format("{}{}", kind, n); }

  void add_k(char before) {
    if (before == '[') {
      out_ += shown_word(i_.a, i_.k);
    } else if (i_.what == opcode::keep_place) {
      out_ += shown_word(segment, i_.k);
    } else {
      add_number("", i_.k);
    }
  }

  // Without a block, what has introduced it is taken back.
  void add_block(int block, std::string_view introduced_by) {
    if (block < 0) {
      out_.resize(out_.rfind(introduced_by));
    } else {
      out_ += block_name_(block);
    }
  }

  void add_row(const auto* table, std::int64_t k, std::string_view kind) {
    if (table == nullptr || k < 0 || static_cast<std::size_t>(k) >= table->size()) return add_number(kind, k);
    out_ += name_of((*table)[static_cast<std::size_t>(k)]);
  }
  static const std::string& name_of(const std::string& row) { return row; }
  static const std::string& name_of(const selector_info& row) { return row.name; }

  void add_handler() {
    const auto number = static_cast<std::size_t>(i_.k & 0xff);
    out_ += handler_names[number].name;
    if (number == static_cast<std::size_t>(handler::create)) {
      out_ += ' ';
      add_row(by_.classes, i_.k >> 8, "class ");
    } else if (i_.k >> 8 != 0) {
      add_number(" ", i_.k >> 8);
    }
  }

  void add_service() {
    if (i_.d >= 0) out_ += shown_value(i_.d, by_.virtual_values) + ", ";
    out_ += service_names[static_cast<std::size_t>(i_.k)].name;
    for (const value v : {i_.a, i_.b, i_.c}) {
      if (v >= 0) out_ += ' ' + shown_value(v, by_.virtual_values);
    }
    if (i_.u >= 0) add_number(" ", i_.u);
  }

  const instruction& i_;
  const names& by_;
  const BlockName& block_name_;
  std::string out_;
};

// `block_name` names a block or an address.
std::string shown(const instruction& i, const names& by, const auto& block_name) {
  const std::string operands = operands_text(i, by, block_name).run();
  std::string out(shape_of(i.what).name);
  return operands.empty() ? out : out + ' ' + operands;
}

}  // namespace abcl::code
