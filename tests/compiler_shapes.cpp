// Which awaited expressions does this compiler get right? g++ 12 copies some temporaries of an awaited
// expression bit by bit and destroys them twice.
//
// Promise: the shapes that the documentation tells people to use are right under every compiler, and all
// shapes are right under clang. The shapes that g++ gets wrong are counted and printed, to tell us the
// day a g++ can be trusted.
// Method: `tok` remembers its own address, so that a bitwise copy shows in its destructor.
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tsubu/task/run_local.hpp"
#include "tsubu/task/task.hpp"
#include "tsubu/task/yield.hpp"

using namespace tsubu;

namespace {

int bad_destructions = 0;
int alive = 0;

class tok {
 public:
  explicit tok(int n = 1) : n_(n), self_(this) { ++alive; }
  tok(const tok& other) : n_(other.n_), self_(this) { ++alive; }
  tok(tok&& other) noexcept : n_(other.n_), self_(this) { ++alive; }
  tok& operator=(const tok& other) {
    n_ = other.n_;
    return *this;
  }
  ~tok() {
    if (self_ != this) ++bad_destructions;
    --alive;
  }
  int value() const { return self_ == this ? n_ : -1000; }

 private:
  int n_;
  tok* self_;
};

struct agg {
  tok t;
  int n;
};

class with_ctor {
 public:
  with_ctor(tok t, int n) : t_(std::move(t)), n_(n) {}
  int value() const { return t_.value() + n_; }

 private:
  tok t_;
  int n_;
};

task<int> take_tok(tok t) {
  co_await yield();
  co_return t.value();
}
task<int> take_class(with_ctor c) {
  co_await yield();
  co_return c.value();
}
task<int> take_text(std::string s) {
  co_await yield();
  co_return static_cast<int>(s.size());
}
task<int> take_agg(agg a) {
  co_await yield();
  co_return a.t.value() + a.n;
}
task<int> look_at_agg(const agg& a) {
  co_await yield();
  co_return a.t.value() + a.n;
}
template <class F>
task<int> call(F f) {
  co_await yield();
  co_return f();
}
task<int> call_erased(std::function<int()> f) {
  co_await yield();
  co_return f();
}
template <class F, class... Args>
task<int> call_with(F f, Args... args) {
  co_await yield();
  co_return f(std::move(args)...);
}
task<int> add(task<int> a, task<int> b) {
  const int x = co_await std::move(a);
  co_return x + co_await std::move(b);
}
int length_of(std::string s, tok t) { return static_cast<int>(s.size()) + t.value(); }

const char* const long_text = "a text that is too long to be kept inside the string object";
constexpr int long_text_length = 59;

// --- shapes that must be right everywhere ---

task<int> prvalue_class() { co_return co_await take_tok(tok(5)); }
task<int> prvalue_class_with_ctor() { co_return co_await take_class(with_ctor(tok(5), 2)); }
task<int> converted_text() { co_return co_await take_text(long_text); }
task<int> prvalue_text() { co_return co_await take_text(std::string(long_text) + "!"); }
task<int> named_aggregate_moved() {
  agg a{tok(5), 2};
  co_return co_await take_agg(std::move(a));
}
task<int> aggregate_borrowed() {
  const agg a{tok(5), 2};
  co_return co_await look_at_agg(a);
}
task<int> lambda_without_captures() {
  co_return co_await call([] { return 7; });
}
task<int> lambda_with_trivial_captures() {
  int x = 3;
  int y = 4;
  co_return co_await call([x, y] { return x + y; });
}
task<int> lambda_by_reference() {
  const tok t(7);
  co_return co_await call([&t] { return t.value(); });
}
task<int> lambda_and_owning_arguments() {
  co_return co_await call_with([](std::string s, tok t) { return static_cast<int>(s.size()) + t.value(); },
                               std::string(long_text), tok(5));
}
task<int> function_and_owning_arguments() { co_return co_await call_with(&length_of, std::string(long_text), tok(5)); }
task<int> named_lambda_moved() {
  const tok t(7);
  auto f = [t] { return t.value(); };
  co_return co_await call(std::move(f));
}
task<int> named_task_of_owning_lambda() {
  const tok t(7);
  auto work = call([t] { return t.value(); });
  co_return co_await std::move(work);
}
task<int> captureless_coroutine_lambda() {
  co_return co_await [](int i, tok t) -> task<int> {
    co_await yield();
    co_return i + t.value();
  }(2, tok(5));
}
task<int> tasks_as_arguments() { co_return co_await add(take_tok(tok(3)), take_tok(tok(4))); }
task<int> nested_awaits() { co_return co_await take_tok(tok(co_await take_tok(tok(7)))); }
task<int> sum_of_awaits() {
  const int first = co_await take_tok(tok(3));
  co_return first + co_await take_tok(tok(4));
}
task<int> condition_with_a_name() {
  const int given = co_await take_tok(tok(7));
  if (given == 7) co_return given;
  co_return 0;
}

// --- shapes that g++ 12 gets wrong ---
// Beside these: in a coroutine without any local variable, `if (co_await f())` keeps the body from ever beginning.

task<int> aggregate_temporary() { co_return co_await take_agg(agg{tok(5), 2}); }
task<int> aggregate_braces() { co_return co_await take_agg({tok(5), 2}); }
task<int> aggregate_designated() { co_return co_await take_agg({.t = tok(5), .n = 2}); }
task<int> aggregate_temporary_borrowed() { co_return co_await look_at_agg(agg{tok(5), 2}); }
task<int> aggregate_conditional() {
  const bool which = alive > 1000;
  co_return co_await take_agg(which ? agg{tok(1), 2} : agg{tok(5), 2});
}
task<int> owning_lambda() {
  const tok t(7);
  co_return co_await call([t] { return t.value(); });
}
task<int> owning_lambda_erased() {
  const tok t(7);
  co_return co_await call_erased([t] { return t.value(); });
}
task<int> owning_coroutine_lambda() {
  const tok t(5);
  co_return co_await [t](int i) -> task<int> { co_return i + t.value(); }(2);
}
task<int> await_inside_aggregate() {
  const agg a = {tok(5), co_await take_tok(tok(2))};
  co_return a.t.value() + a.n;
}

struct shape {
  const char* name;
  task<int> (*run)();
  int expected;
};

bool is_right(const shape& s) {
  bad_destructions = 0;
  alive = 0;
  const int got = run_local(s.run());
  const bool right = got == s.expected && bad_destructions == 0 && alive == 0;
  if (!right)
    std::printf("  wrong: %-32s result %d (expected %d), %d destroyed at another address, %d left over\n", s.name, got,
                s.expected, bad_destructions, alive);
  return right;
}

#define SHAPE(name, expected) \
  shape { #name, &name, expected }

}  // namespace

int main() {
  const shape promised[] = {
      SHAPE(prvalue_class, 5),
      SHAPE(prvalue_class_with_ctor, 7),
      SHAPE(converted_text, long_text_length),
      SHAPE(prvalue_text, long_text_length + 1),
      SHAPE(named_aggregate_moved, 7),
      SHAPE(aggregate_borrowed, 7),
      SHAPE(lambda_without_captures, 7),
      SHAPE(lambda_with_trivial_captures, 7),
      SHAPE(lambda_by_reference, 7),
      SHAPE(lambda_and_owning_arguments, long_text_length + 5),
      SHAPE(function_and_owning_arguments, long_text_length + 5),
      SHAPE(named_lambda_moved, 7),
      SHAPE(named_task_of_owning_lambda, 7),
      SHAPE(captureless_coroutine_lambda, 7),
      SHAPE(tasks_as_arguments, 7),
      SHAPE(nested_awaits, 7),
      SHAPE(sum_of_awaits, 7),
      SHAPE(condition_with_a_name, 7),
  };
  const shape hazardous[] = {
      SHAPE(aggregate_temporary, 7),          SHAPE(aggregate_braces, 7),        SHAPE(aggregate_designated, 7),
      SHAPE(aggregate_temporary_borrowed, 7), SHAPE(aggregate_conditional, 7),   SHAPE(owning_lambda, 7),
      SHAPE(owning_lambda_erased, 7),         SHAPE(owning_coroutine_lambda, 7), SHAPE(await_inside_aggregate, 7),
  };

  int promised_wrong = 0;
  for (const shape& s : promised) promised_wrong += is_right(s) ? 0 : 1;
  std::printf("%d of %zu promised shapes are wrong\n", promised_wrong, std::size(promised));

  int hazardous_wrong = 0;
  for (const shape& s : hazardous) hazardous_wrong += is_right(s) ? 0 : 1;
  std::printf("%d of %zu hazardous shapes are wrong with this compiler (%s)\n", hazardous_wrong, std::size(hazardous),
              __VERSION__);

#ifdef __clang__
  return promised_wrong + hazardous_wrong == 0 ? 0 : 1;
#else
  return promised_wrong == 0 ? 0 : 1;
#endif
}
