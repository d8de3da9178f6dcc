#include "abcl/code/print.hpp"

#include <algorithm>
#include <iterator>

#include "abcl/code/print_instruction.hpp"

namespace abcl::code {

std::string quoted_line(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '\n') {
      all += "\\n";
    } else if (c == '\t') {
      all += "\\t";
    } else {
      if (c == '"' || c == '\\') all += '\\';
      all += c;
    }
  }
  return all + '"';
}

std::string shown_value(value v, bool is_virtual) {
  switch (v) {
    case none:
      return "";
    case segment:
      return "segment";
    case node:
      return "node";
    case frame:
      return "frame";
    default:
      return fmt::format("{}{}", is_virtual ? '%' : 'r', v);
  }
}

std::string shown_word(value base, std::int64_t k) {
  const auto named = [&](const auto& all) {
    const auto found = std::find_if(std::begin(all), std::end(all), [&](const named_word& w) { return w.what == k; });
    return found == std::end(all) ? fmt::format("{}", k) : std::string(found->name);
  };
  if (base == segment) return k < words::plain_object ? named(segment_words) : fmt::format("{}", k);
  if (base == node) return named(node_words);
  if (base == frame) return fmt::format("{}", k);
  return named(box_words);
}

std::string shown(const program& p) {
  std::vector<std::string> classes, functions;
  for (const class_info& c : p.classes) classes.push_back(c.name);
  for (const function_info& f : p.functions) functions.push_back(f.name);
  const names by{&p.selectors, &p.strings, &classes, &functions, true};
  std::string out;
  for (const text& t : p.texts) {
    out += fmt::format("{} {}\n", t.of_function ? "function" : "class", t.name);
    const auto block_name = [](int b) { return fmt::format("L{}", b); };
    for (std::size_t b = 0; b < t.blocks.size(); ++b) {
      const block& of = t.blocks[b];
      if (of.steps.empty()) continue;
      out += fmt::format("L{}:{}{}\n", b, of.note.empty() ? "" : "  ; ", of.note);
      int line = -1;
      for (const instruction& i : of.steps) {
        std::string text = "    " + shown(i, by, block_name);
        const int now = i.site >= 0 ? p.sites[static_cast<std::size_t>(i.site)].line : line;
        if (now != line) {
          text.resize(std::max<std::size_t>(text.size() + 2, 52), ' ');
          text += fmt::format("; line {}", now);
          line = now;
        }
        out += text + '\n';
      }
    }
    out += '\n';
  }
  return out;
}

}  // namespace abcl::code
