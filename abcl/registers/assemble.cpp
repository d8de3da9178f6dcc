// The assembler: sequences in the printed form, for the machine's own texts and for tests.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <stdexcept>

#include "abcl/code/names.hpp"
#include "abcl/registers/link.hpp"

namespace abcl::registers {

using code::instruction;
using code::opcode;

namespace {

class assembler {
 public:
  explicit assembler(image& to) : to_(to) {}

  std::vector<assembled> run(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, std::min(end, text.find(';')));
      text.remove_prefix(std::min(end + 1, text.size()));
      while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) line.remove_suffix(1);
      while (!line.empty() && std::isspace(static_cast<unsigned char>(line.front())) != 0) line.remove_prefix(1);
      if (line.empty()) continue;
      if (line.starts_with("text ")) {
        close();
        begin(std::string(line.substr(5)));
      } else if (line.ends_with(':')) {
        labels_[std::string(line.substr(0, line.size() - 1))] = here();
      } else {
        instruct(line);
      }
    }
    close();
    return std::move(made_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("line {} of a register text: {}", line_, what));
  }
  int here() const { return static_cast<int>(to_.code.size()); }

  void begin(std::string name) {
    made_.push_back({name, here()});
    to_.labels.push_back({here(), "text " + std::move(name)});
  }

  // The labels of a text are known when it ends.
  void close() {
    for (const auto& [at, label] : open_) {
      const auto found = labels_.find(label);
      if (found == labels_.end()) fail(fmt::format("there is no label {}", label));
      to_.code.change(static_cast<std::size_t>(at)).t = found->second;
    }
    open_.clear();
    labels_.clear();
  }

  std::string_view word(std::string_view& rest) {
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    std::size_t n = 0;
    while (n < rest.size() &&
           (std::isalnum(static_cast<unsigned char>(rest[n])) != 0 || rest[n] == '-' || rest[n] == '%'))
      ++n;
    const std::string_view found = rest.substr(0, n);
    rest.remove_prefix(n);
    return found;
  }

  bool is_number(std::string_view w) const {
    return !w.empty() && (std::isdigit(static_cast<unsigned char>(w[0])) != 0 || (w[0] == '-' && w.size() > 1));
  }
  std::int64_t number(std::string_view w) const {
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), n);
    if (error != std::errc() || end != w.data() + w.size()) fail(fmt::format("expected a number, got '{}'", w));
    return n;
  }
  code::value value(std::string_view w) const {
    if (w == "segment") return code::segment;
    if (w == "node") return code::node;
    if (w == "frame") return code::frame;
    if (w.size() < 2 || w[0] != 'r') fail(fmt::format("expected a register, got '{}'", w));
    const std::int64_t n = number(w.substr(1));
    if (n < 0 || n >= code::registers) fail(fmt::format("there is no register {}", w));
    return static_cast<code::value>(n);
  }
  std::int64_t index(std::string_view w, const auto& table) const {
    const int found = code::number_named(w, table);
    if (found < 0) fail(fmt::format("nothing is called '{}'", w));
    return found;
  }
  // What segments and boxes are told in numbers, their texts say in words.
  std::int64_t constant(std::string_view w) const {
    if (is_number(w)) return number(w);
    const int state = code::number_named(w, code::reply_states);
    return state >= 0 ? state : index(w, code::reactive_names);
  }
  std::int64_t memory_word(code::value base, std::string_view w) const {
    if (is_number(w)) return number(w);
    const auto in = [&](const auto& table) -> std::int64_t { return code::number_named(w, table); };
    std::int64_t found = base == code::segment ? in(code::segment_words)
                         : base == code::node  ? in(code::node_words)
                                               : in(code::box_words);
    // A register may address a segment, or a node.
    if (found < 0 && base >= 0) found = std::max(in(code::segment_words), in(code::node_words));
    if (found < 0) fail(fmt::format("no word is called '{}'", w));
    return found;
  }

  void instruct(std::string_view line) {
    instruction i;
    std::string_view rest = line;
    const std::string_view name = word(rest);
    int found = -1;
    for (int k = 0; k < code::opcodes; ++k) {
      if (code::shape_of(static_cast<opcode>(k)).name == name) found = k;
    }
    if (found < 0) fail(fmt::format("there is no instruction '{}'", name));
    i.what = static_cast<opcode>(found);
    if (i.what == opcode::service) {
      service(i, rest);
    } else {
      operands(i, code::shape_of(i.what).operands, rest);
    }
    to_.code.push_back(i);
  }

  void service(instruction& i, std::string_view rest) {
    std::string_view first = word(rest);
    if (rest.starts_with(',')) {
      i.d = value(first);
      rest.remove_prefix(1);
      first = word(rest);
    }
    i.k = index(first, code::service_names);
    for (code::value* v : {&i.a, &i.b, &i.c}) {
      const std::string_view w = word(rest);
      if (w.empty()) break;
      if (is_number(w)) {
        i.u = static_cast<int>(number(w));
        break;
      }
      *v = value(w);
    }
  }

  void operands(instruction& i, std::string_view shape, std::string_view rest) {
    for (std::size_t at = 0; at < shape.size(); ++at) {
      const char c = shape[at];
      if (c == ' ') continue;
      const bool is_word = std::islower(static_cast<unsigned char>(c)) != 0 && at + 1 < shape.size() &&
                           std::islower(static_cast<unsigned char>(shape[at + 1])) != 0;
      if (is_word) {
        std::size_t n = at;
        while (n < shape.size() && std::islower(static_cast<unsigned char>(shape[n])) != 0) ++n;
        const std::string_view expected = shape.substr(at, n - at);
        if (rest.empty() && expected == "else") return;  // a branch in a sequence
        if (word(rest) != expected) fail(fmt::format("expected '{}'", expected));
        at = n - 1;
        continue;
      }
      switch (c) {
        case 'd':
          i.d = value(word(rest));
          break;
        case 'a':
          i.a = value(word(rest));
          break;
        case 'b':
          i.b = value(word(rest));
          break;
        case 'c':
          i.c = value(word(rest));
          break;
        case 'o': {
          const std::string_view w = word(rest);
          if (is_number(w) || code::number_named(w, code::reactive_names) >= 0) {
            i.k = constant(w);
          } else {
            i.b = value(w);
          }
          break;
        }
        case 'k':
          if (i.what == opcode::keep_place) {
            i.k = memory_word(code::segment, word(rest));
          } else {
            i.k = at > 0 && shape[at - 1] == '[' ? memory_word(i.a, word(rest)) : constant(word(rest));
          }
          break;
        case 't':
          open_.emplace_back(here(), std::string(word(rest)));
          break;
        case 'E':
          i.k = index(word(rest), code::entry_names);
          break;
        case 'H':
          i.k = index(word(rest), code::handler_names);
          break;
        case 'R':
          i.k = index(word(rest), code::reactive_names);
          break;
        default:
          while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
          if (std::isupper(static_cast<unsigned char>(c)) != 0) fail("such an operand is for programs only");
          if (rest.empty() || rest.front() != c) fail(fmt::format("expected '{}'", c));
          rest.remove_prefix(1);
      }
    }
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    if (!rest.empty()) fail(fmt::format("'{}' is too much", rest));
  }

  image& to_;
  int line_ = 0;
  std::vector<assembled> made_;
  std::map<std::string, int> labels_;
  std::vector<std::pair<int, std::string>> open_;
};

}  // namespace

std::vector<assembled> assemble(std::string_view text, image& to) { return assembler(to).run(text); }

}  // namespace abcl::registers
