#include <fmt/format.h>

#include <algorithm>

#include "abcl/doc/prose.hpp"

namespace abcl {
namespace {

// So that it stands there as it is, whatever is in it.
std::string markdown_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>&#|~").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// Between more backquotes than it has in a row.
std::string code(std::string_view text) {
  std::size_t most = 0, now = 0;
  for (const char c : text) {
    now = c == '`' ? now + 1 : 0;
    most = std::max(most, now);
  }
  const std::string fence(most + 1, '`');
  const char* const apart = most > 0 ? " " : "";
  return fmt::format("{}{}{}{}{}", fence, apart, text, apart, fence);
}

std::string line_of(std::string_view text) {
  std::string out;
  for (const prose_piece& piece : pieces_of(text)) out += piece.code ? code(piece.text) : markdown_escaped(piece.text);
  // What would make a list of the line.
  const std::size_t digits = std::min(out.find_first_not_of("0123456789"), out.size());
  if (out.starts_with('+') || out.starts_with('-') || out.starts_with('=')) return '\\' + out;
  if (digits > 0 && digits < out.size() && (out[digits] == '.' || out[digits] == ')')) out.insert(digits, 1, '\\');
  return out;
}

void add(std::string& out, const comment_lines& about, const std::string& indent) {
  using kind = prose_block::kind;
  const std::vector<prose_block> blocks = blocks_of(about);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const prose_block& block = blocks[i];
    if (block.what == kind::example) {
      std::string_view rest = block.text;
      while (true) {
        const std::size_t end = rest.find('\n');
        out += fmt::format("{}    {}\n", indent, rest.substr(0, end));
        if (end == std::string_view::npos) break;
        rest.remove_prefix(end + 1);
      }
    } else {
      out += fmt::format("{}{}{}\n", indent, block.what == kind::item ? "- " : "", line_of(block.text));
    }
    const bool list_goes_on = i + 1 < blocks.size() && block.what == kind::item && blocks[i + 1].what == kind::item;
    if (!list_goes_on) out += '\n';
  }
}

// A list of them, with an empty line behind it.
void add(std::string& out, const char* title, const std::vector<documented_variable>& all) {
  if (all.empty()) return;
  out += fmt::format("{}\n\n", title);
  for (const documented_variable& v : all) {
    out += fmt::format("- {}\n", code(v.type + ' ' + v.name));
    if (v.about.empty()) continue;
    out += '\n';
    add(out, v.about, "  ");
  }
  if (!out.ends_with("\n\n")) out += '\n';
}

void add(std::string& out, const documented_class& c) {
  out += fmt::format("## Class {}\n\n", markdown_escaped(c.name));
  add(out, c.about, "");
  if (c.tests) out += "A test.\n\n";
  add(out, "Creation arguments:", c.arguments);
  if (!c.messages.empty()) out += "Messages:\n\n";
  for (const documented_message& m : c.messages) {
    out += fmt::format("- {}{}\n\n", code(m.type), m.answer.empty() ? "" : fmt::format(" replies {}", code(m.answer)));
    add(out, m.about, "  ");
    for (const std::string& clause : m.clauses) out += fmt::format("  - {}\n", code(clause));
    if (!m.clauses.empty()) out += '\n';
  }
  add(out, "State:", c.state);
}

void add(std::string& out, const documented_type& t) {
  out +=
      fmt::format("## Type {}\n\n{}\n\n", markdown_escaped(t.name), code(fmt::format("(type {} {})", t.name, t.type)));
  add(out, t.about, "");
}

void add(std::string& out, const documented_function& f) {
  std::string header = f.name;
  for (const documented_variable& a : f.arguments) header += fmt::format(" ({} {})", a.type, a.name);
  out += fmt::format("## Function {}\n\n{}\n\n", markdown_escaped(f.name),
                     code(fmt::format("(function ({}) {})", header, f.result)));
  add(out, f.about, "");
}

}  // namespace

std::string as_markdown(const std::vector<documented_file>& files) {
  std::string out;
  for (const documented_file& file : files) {
    out += fmt::format("# {}\n\n", markdown_escaped(file.name));
    add(out, file.about, "");
    for (const std::string& used : file.uses) out += fmt::format("Uses {}.\n\n", code(used));
    for (const documented_type& t : file.types) add(out, t);
    for (const documented_class& c : file.classes) add(out, c);
    for (const documented_function& f : file.functions) add(out, f);
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace abcl
