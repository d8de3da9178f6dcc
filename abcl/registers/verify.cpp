#include "abcl/registers/verify.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "abcl/registers/flow.hpp"

namespace abcl::registers {

using code::instruction;
using code::opcode;
using code::value;

namespace {

bool belongs_to(opcode what, language of) {
  if (what == opcode::end) return true;  // also of what ends a program
  if (what <= opcode::finish) return of == language::messages;
  if (what <= opcode::give_box) return of == language::registers;
  return true;
}

bool is_row(std::int64_t k, std::size_t rows) { return k >= 0 && static_cast<std::size_t>(k) < rows; }

class checked_text {
 public:
  checked_text(const code::program& p, const code::text& t, language of, std::vector<std::string>& faults)
      : p_(p), t_(t), of_(of), faults_(faults) {}

  void run() {
    for (const int begin : begins()) {
      if (begin >= static_cast<int>(t_.blocks.size()))
        return say(fmt::format("it begins at L{}, which is not there", begin));
    }
    const std::size_t before = faults_.size();
    for (at_ = 0; at_ < static_cast<int>(t_.blocks.size()); ++at_) check_block(steps_of(at_));
    // Without that, nobody can tell what follows what.
    if (faults_.size() == before) check_values();
  }

 private:
  std::vector<int> begins() const {
    std::vector<int> all = {0};
    for (const int b : {t_.at_message, t_.at_express, t_.at_next, t_.at_resume, t_.at_left}) {
      if (b >= 0) all.push_back(b);
    }
    return all;
  }
  const std::vector<instruction>& steps_of(int block) const { return t_.blocks[static_cast<std::size_t>(block)].steps; }

  void say(const std::string& what) { faults_.push_back(fmt::format("{}: {}", t_.name, what)); }
  void say(const instruction& i, const std::string& what) {
    faults_.push_back(fmt::format("{}, L{}: {}: {}", t_.name, at_, code::shape_of(i.what).name, what));
  }

  void check_block(const std::vector<instruction>& steps) {
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const instruction& i = steps[k];
      const bool is_last = k + 1 == steps.size();
      if (code::ends_block(i.what) != is_last) say(i, is_last ? "the block does not end" : "more follows in the block");
      check(i);
    }
  }

  void check(const instruction& i) {
    if (!belongs_to(i.what, of_)) say(i, "it is of the other language");
    for (const value v : {i.d, i.a, i.b, i.c}) {
      if (v < code::frame || (of_ == language::registers && v >= code::registers))
        say(i, fmt::format("there is no value {}", v));
    }
    if (i.what == opcode::service) return check_service(i);
    // A letter by itself is an operand (code.cpp).
    const std::string_view form = code::shape_of(i.what).operands;
    const auto is_letter = [&](std::size_t at) { return at < form.size() && form[at] >= 'a' && form[at] <= 'z'; };
    for (std::size_t at = 0; at < form.size(); ++at) {
      if (is_letter(at) && (is_letter(at + 1) || (at > 0 && is_letter(at - 1)))) continue;
      check_operand(i, form[at]);
    }
  }

  void check_operand(const instruction& i, char operand) {
    switch (operand) {
      case 'd':
        // What is waited for outside may have no value.
        if (i.d < 0 && i.what != opcode::await_outside) say(i, "it makes no value");
        break;
      case 'a':
        return require(i, i.a, "a");
      case 'b':
        return require(i, i.b, "b");
      case 'c':
        return require(i, i.c, "c");
      case 't':
        return check_block_named(i, i.t);
      case 'u':
        // A wait that is not interrupted does not look again.
        if (i.what != opcode::await_message || i.u >= 0) check_block_named(i, i.u);
        break;
      case 'L':
        // What one word is: a text, or an array with a layout.
        if (!is_row(i.u - 1, p_.layouts.size() + 1)) say(i, fmt::format("there is no layout for {}", i.u));
        break;
      default:
        check_row(i, operand);
    }
  }

  void require(const instruction& i, value v, std::string_view operand) {
    if (v == code::none) say(i, fmt::format("operand {} is not there", operand));
  }

  void check_block_named(const instruction& i, int block) {
    if (!is_row(block, t_.blocks.size()) || steps_of(block).empty())
      say(i, fmt::format("there is no block L{}", block));
  }

  void check_row(const instruction& i, char table) {
    const auto check = [&](std::string_view kind, std::int64_t k, std::size_t rows) {
      if (!is_row(k, rows)) say(i, fmt::format("there is no {} {}", kind, k));
    };
    switch (table) {
      case 'S':
        return check("selector", i.k, p_.selectors.size());
      case 'C':
        return check("class", i.k, p_.classes.size());
      case 'F':
        return check("function", i.k, p_.functions.size());
      case 'X':
        return check("constant text", i.k, p_.strings.size());
      case 'E':
        return check("entry", i.k, code::entries);
      case 'R':
        return check("reactive text", i.k, code::reactives);
      case 'H':
        check("handler", i.k & 0xff, code::handlers);
        if ((i.k & 0xff) == static_cast<std::int64_t>(code::handler::create))
          check("class", i.k >> 8, p_.classes.size());
        break;
      default:
        break;
    }
  }

  void check_service(const instruction& i) {
    if (!is_row(i.k, code::services)) return say(i, fmt::format("there is no service {}", i.k));
    if (static_cast<code::service>(i.k) == code::service::make_array && !is_row(i.u, p_.layouts.size()))
      say(i, fmt::format("there is no layout {}", i.u));
  }

  // What is needed where a text begins, or behind a wait, nobody has made.
  void check_values() {
    const liveness live = live_values(t_, true);
    for (const int begin : begins()) check_needs(live, begin);
    if (of_ == language::messages) return;
    for (const code::block& b : t_.blocks) {
      for (const instruction& i : b.steps) {
        if (i.what == opcode::keep_place || code::waits(i.what)) check_needs(live, i.t);
      }
    }
  }

  void check_needs(const liveness& live, int block) {
    const bool registers = of_ == language::registers;
    live.in[static_cast<std::size_t>(block)].for_each([&](value v) {
      // A sequence begins with a datum in register 0.
      if (registers && v == 0) return;
      say(fmt::format("{}{} is used behind L{} before it is made", registers ? 'r' : '%', v, block));
    });
  }

  const code::program& p_;
  const code::text& t_;
  const language of_;
  std::vector<std::string>& faults_;
  int at_ = 0;
};

}  // namespace

std::vector<std::string> faults_of(const code::program& p, language of) {
  std::vector<std::string> all;
  for (const code::text& t : p.texts) checked_text(p, t, of, all).run();
  return all;
}

void verify(const code::program& p, language of) {
  const std::vector<std::string> all = faults_of(p, of);
  if (!all.empty()) throw std::logic_error(fmt::format("{} (the first of {})", all.front(), all.size()));
}

}  // namespace abcl::registers
