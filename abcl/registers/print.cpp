#include "abcl/registers/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "abcl/code/print_instruction.hpp"

namespace abcl::registers {

using code::instruction;
using code::opcode;

namespace {

// `only`: the address of the text to print; below 0: all, with those of the machine or without.
std::string printed(const image& of, bool with_machine, int only) {
  std::vector<std::string> classes, functions;
  for (const auto& c : of.classes) classes.push_back(c.name);
  for (const auto& f : of.functions) functions.push_back(f.name);
  const code::names by{&of.selectors, &of.strings, &classes, &functions, false};
  // What is jumped to, or begins.
  std::map<int, std::string> notes;
  for (const instruction& i : of.code) {
    if (i.t >= 0) notes[i.t];
  }
  std::map<int, std::string> begins;
  for (const image::label& l : of.labels) {
    if (l.text.starts_with("text ")) {
      begins[l.at] = l.text;
    } else if (!l.text.empty()) {
      notes[l.at] = l.text;
    }
  }
  const auto name = [](int at) { return fmt::format("A{}", at); };
  std::string out;
  int line = -1;
  bool is_program = false;
  for (std::size_t at = 0; at < of.code.size(); ++at) {
    const instruction& i = of.code[at];
    if (only < 0) is_program |= i.site >= 0;
    const int address = static_cast<int>(at);
    if (const auto found = begins.find(address); found != begins.end()) {
      const std::string name_of_text = found->second.substr(5);
      is_program = only < 0 ? name_of_text.find('.') == std::string::npos : address == only;
      if (is_program || with_machine) out += (out.empty() ? "" : "\n") + found->second + '\n';
      line = -1;
    }
    if (!is_program && !with_machine) continue;
    if (const auto found = notes.find(address); found != notes.end())
      out += fmt::format("{}:{}{}\n", name(address), found->second.empty() ? "" : "  ; ", found->second);
    std::string text = "    " + code::shown(i, by, name);
    const int now = i.site >= 0 ? of.sites[static_cast<std::size_t>(i.site)].line : line;
    if (now != line) {
      text.resize(std::max<std::size_t>(text.size() + 2, 48), ' ');
      text += fmt::format("; line {}", now);
      line = now;
    }
    out += text + '\n';
  }
  return out;
}

}  // namespace

std::string shown(const image& of, bool with_machine) { return printed(of, with_machine, -1); }

std::string shown_text(const image& of, int at) { return printed(of, false, at); }

}  // namespace abcl::registers
