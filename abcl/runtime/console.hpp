// The standard input of an ABCL/ST program: (read-line) and (more-input?).
//
// It is node 0's, whichever node asks, so there is one order in which lines are taken. An object has it, made when
// somebody first asks: who asks while another waits for a line has to wait, too. Others go on, on node 0 as well. On a
// simulated machine there is no world outside that could be waited for: its time stands still until the line is there.
#pragma once

#include <atomic>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "abcl/runtime/object.hpp"
#include "abcl/runtime/site.hpp"
#include "tsubu/base/simulated_machine.hpp"
#include "tsubu/object/create.hpp"
#include "tsubu/object/object.hpp"
#include "tsubu/outside/error.hpp"
#include "tsubu/outside/input.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace abcl::library {

class console : public tsubu::object<console> {
 public:
  enum state : int { there, ended, broken };
  // What is known of the next line; if it is broken, why.
  using answer = std::pair<int, std::string>;

  tsubu::task<answer> look() {
    if (state_ == there && !line_) {
      try {
        if (tsubu::simulated != nullptr) {
          line_ = read_at_once();
        } else {
          line_ = co_await tsubu::outside::read_line();
        }
        if (!line_) state_ = ended;
      } catch (const tsubu::outside::error& e) {
        state_ = broken;
        why_ = e.what();
      }
    }
    co_return answer(state_, why_);
  }
  // The same, with the line, which is then taken.
  tsubu::task<answer> take() {
    answer a = co_await look();
    if (a.first == there) a.second = *std::exchange(line_, std::nullopt);
    co_return a;
  }

 private:
  static std::optional<std::string> read_at_once() {
    std::string line;
    int c = 0;
    while ((c = std::getchar()) != EOF && c != '\n') line += static_cast<char>(c);
    if (c == EOF && line.empty()) return std::nullopt;
    return line;
  }

  std::optional<std::string> line_;  // that is there and has not been taken
  state state_ = there;
  std::string why_;
};

inline tsubu::pe_local<tsubu::ref<console>> known_console;

// On node 0.
inline tsubu::ref<console> the_console() {
  if (!*known_console) *known_console = tsubu::create<console>(tsubu::at(0));
  return *known_console;
}

inline tsubu::task<tsubu::ref<console>> find_console() {
  if (!*known_console) *known_console = co_await tsubu::at(0).now<the_console>();
  co_return *known_console;
}

[[noreturn]] inline void no_line(const console::answer& a, const site& at) {
  if (ending.load(std::memory_order_relaxed)) throw program_ends();
  fail(at, a.first == console::ended ? "the input has ended" : a.second);
}

inline tsubu::task<bool> more_input_p(const site& at) {
  const tsubu::ref<console> input = co_await find_console();
  const console::answer next = co_await input.now<&console::look>();
  if (next.first == console::broken) [[unlikely]]
    no_line(next, at);
  co_return next.first == console::there;
}

inline tsubu::task<std::string> read_line(const site& at) {
  const tsubu::ref<console> input = co_await find_console();
  console::answer next = co_await input.now<&console::take>();
  if (next.first != console::there) [[unlikely]]
    no_line(next, at);
  co_return std::move(next.second);
}

}  // namespace abcl::library
