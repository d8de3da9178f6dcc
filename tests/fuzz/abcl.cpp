// Programs in ABCL/ST, right and wrong: errors stand at places of the text and can be shown; a layout changes nothing
// when it is laid out again; what has no errors becomes C++.
#include "abcl/command/files.hpp"
#include "abcl/cpp/cpp.hpp"
#include "abcl/format/format.hpp"
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
  lay_out(text);
}

}  // namespace tsubu::fuzz
