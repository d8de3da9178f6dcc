// Programs in ABCL/ST, right and wrong: errors stand at places of the text and can be shown; a layout changes nothing
// when it is laid out again; what has no errors becomes C++, and is executed by two nodes of the register machine, for
// a bounded time: it does the same with and without copy propagation.
#include <algorithm>

#include "abcl/code/print.hpp"
#include "abcl/cpp/cpp.hpp"
#include "abcl/format/format.hpp"
#include "abcl/load/files.hpp"
#include "abcl/registers/print.hpp"
#include "tests/abcl/small_node.hpp"
#include "tests/fuzz/input.hpp"

namespace tsubu::fuzz {
namespace {

void lay_out(const std::string& text) {
  std::string last = text;
  for (int turn = 0; turn < 2; ++turn) {
    const abcl::source from("input.abcl", last);
    abcl::diagnostics said;
    const abcl::forms read = abcl::read(from, said);
    if (turn == 0 && said.any_errors()) return;
    expect(!said.any_errors(), "a layout that cannot be read");
    const std::string laid_out = abcl::formatted(from, read);
    if (turn == 1) expect(laid_out == last, "a layout that changes when it is laid out again");
    last = laid_out;
  }
}

// ---- execution

constexpr std::size_t most_packets = 2000, most_blocks = 20'000, most_elements = 1000, most_text = 1000,
                      most_copied = 10'000;

struct out_of_bounds {};

// What the program is made to ask, in front of what could take long or much: functions of a library that none has.
enum question : int { another_block = 1000, elements, text, copied };

class bounded_nodes final : public abcl::test::small_node {
 public:
  explicit bounded_nodes(std::shared_ptr<const abcl::registers::image> of) : small_node(std::move(of), 2) {}
  abcl::machine::word library(int number, abcl::machine::word a, abcl::machine::word, abcl::machine::word,
                              int) override {
    bool good = true;
    if (number == another_block) good = ++blocks_ < most_blocks;
    if (number == elements) good = a < most_elements;
    if (number == text) good = std::max(text_of(0, a), text_of(1, a)) < most_text;
    if (number == copied) {
      std::size_t words = 0;
      good = is_small(0, a, words) && is_small(1, a, words);
    }
    if (!good) throw out_of_bounds();
    return 0;
  }

 private:
  std::size_t text_of(int node, abcl::machine::word w) { return cpu(node).values().text_of(w).size(); }
  bool is_small(int node, abcl::machine::word w, std::size_t& words) {
    const abcl::machine::heap::array* const all = cpu(node).values().array_of(w);
    if (all == nullptr) return true;
    words += all->words.size() + 1;
    if (words > most_copied) return false;
    return std::all_of(all->words.begin(), all->words.end(),
                       [&](abcl::machine::word each) { return is_small(node, each, words); });
  }
  std::size_t blocks_ = 0;
};

void ask(std::vector<abcl::code::instruction>& to, question what, abcl::code::value of) {
  to.push_back({.what = abcl::code::opcode::service,
                .a = of,
                .k = static_cast<std::int64_t>(abcl::code::service::library),
                .u = what});
}

void add_questions(abcl::code::program& p) {
  using abcl::code::opcode;
  using abcl::code::service;
  for (abcl::code::text& t : p.texts) {
    for (abcl::code::block& b : t.blocks) {
      std::vector<abcl::code::instruction> steps;
      bool first = true;
      for (const abcl::code::instruction& i : b.steps) {
        if (first && i.what != opcode::incoming) {
          ask(steps, another_block, abcl::code::none);
          first = false;
        }
        if (i.what == opcode::put_heap) ask(steps, copied, i.b);
        if (i.what == opcode::service && i.k == static_cast<int>(service::make_array)) ask(steps, elements, i.a);
        if (i.what == opcode::service && i.k == static_cast<int>(service::append_text)) ask(steps, text, i.a);
        steps.push_back(i);
      }
      b.steps = std::move(steps);
    }
  }
}

// What it says, and how it ends.
std::string executed(const abcl::loaded& l, bool copy_propagation) {
  abcl::code::program p = abcl::to_messages(*l.checked, l.texts, *l.checked->find_class("Main"));
  expect(!abcl::code::shown(p).empty(), "a program without instructions");
  add_questions(p);
  const std::shared_ptr<const abcl::registers::image> image =
      abcl::test::image_of(std::move(p), {.copy_propagation = copy_propagation});
  expect(!abcl::registers::shown(*image, true).empty(), "a program that is not shown");
  bounded_nodes nodes(image);
  std::string end;
  try {
    end = nodes.run(std::vector<abcl::machine::word>(image->start_arguments.size()), most_packets)
              ? "exit " + std::to_string(nodes.status)
              : "nothing is left";
  } catch (const abcl::test::job_failed& e) {
    end = e.what();
  } catch (const out_of_bounds&) {
    end = "out of bounds";
  }
  for (const std::string& line : nodes.said) end += '\n' + line;
  return end;
}

void execute(const abcl::loaded& l) {
  const std::string with = executed(l, true), without = executed(l, false);
  // Addresses depend on how many words an object has.
  if (with.find("object ") != std::string::npos || with.find("destination ") != std::string::npos) return;
  expect(with == without, "a program that copy propagation changes");
}

}  // namespace

void read_input(bytes input) {
  const std::string text(text_of(input));
  if (text.find("(use") != std::string::npos) return;  // which would open files
  abcl::loaded l = abcl::load_text("input.abcl", text);
  for (const abcl::diagnostic& d : l.said.all()) {
    expect(d.where.begin <= d.where.end && d.where.end <= text.size(), "an error outside of the text");
    expect(!abcl::shown(d, l.texts, true).empty(), "an error that is not shown");
  }
  if (!l.said.any_errors()) abcl::require_main(l);
  if (!l.said.any_errors())
    expect(!abcl::to_cpp(*l.checked, l.texts, *l.checked->find_class("Main")).empty(), "a program that became nothing");
  if (!l.said.any_errors() && l.checked->foreign.empty()) execute(l);
  lay_out(text);
}

}  // namespace tsubu::fuzz
