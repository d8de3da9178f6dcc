// For `tsubu lint`: a line that it must report says so, with the kind; it must report no other.
#include <string>

#include "tsubu/task/task.hpp"

using namespace tsubu;

namespace {

int same(int x) { return x; }
task<int> ask() { co_return 1; }
task<int> later(int x) { co_return x; }
task<std::string> ask_text() { co_return "text"; }

task<int> wrong_returns(bool b) {
  if (same(1) == 2) co_return b ? co_await ask() : 0;  // wrong: choice
  if (same(2) == 3) co_return b&& co_await ask() > 0;  // wrong: logic
  co_return 1 + (b ? co_await ask() : 0);              // wrong: choice
}

task<int> wrong_in_larger_ones(bool b, bool c) {
  int x = 0;
  x += b ? co_await ask() : 0;          // wrong: choice
  x = same(b ? co_await ask() : 0);     // wrong: choice
  x = 1 + (b ? co_await ask() : 0);     // wrong: choice
  while (b && co_await ask() > x) ++x;  // wrong: logic
  do ++x;
  while (c || co_await ask() > x);  // wrong: logic
  for (; b && co_await later(x) > x;) ++x;          // wrong: logic
  if (b ? co_await ask() : 0) ++x;                  // wrong: choice
  if (b && co_await ask() > 0 && c) ++x;            // wrong: logic
  const double converted = b ? co_await ask() : 0;  // wrong: choice
  x = co_await later(b ? co_await later(1) : 0);    // wrong: choice
  co_return x + static_cast<int>(converted);
}

task<int> wrong_values(bool b) {
  const std::string text = b ? co_await ask_text() : std::string();  // wrong: class
  std::string other;
  other = b ? co_await ask_text() : "none";  // wrong: class
  co_return static_cast<int>(text.size() + other.size());
}

template <class T>
task<T> wrong_template(T x) {
  co_return x > 0 && co_await later(1) > 0;  // wrong: logic
}

task<int> right(bool b, bool c) {
  int x = b ? co_await ask() : 0;
  x = b ? co_await ask() : c ? co_await later(2) : 0;
  bool both = b && co_await ask() > 0;
  both = (c || (b && co_await ask() > 0));
  if (b && co_await ask() > 0) ++x;
  if (b && c && !(c || co_await later(1) > 0)) ++x;
  b ? void(co_await later(1)) : void();
  const std::string text = co_await ask_text();
  x += co_await later(b ? 1 : 2);
  x += b && c ? 1 : 0;
  while (co_await later(x) < 3 && b) ++x;
  // A coroutine that is begun in an operand is not awaited there.
  const auto begun = b ? [](int y) -> task<int> { co_return co_await later(y); }(1) : later(2);
  co_return both || co_await later(x) > 0 ? 0 : static_cast<int>(text.size());  // wrong: logic
}

}  // namespace

// Read, and never run.
task<int> all() {
  co_return co_await wrong_returns(true) + co_await wrong_in_larger_ones(true, true) + co_await wrong_values(true) +
      co_await wrong_template(1) + co_await right(true, true);
}
