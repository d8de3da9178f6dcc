// Where is a co_await right that may not be evaluated: in an operand of ?:, && or ||? A g++ makes an `if` of such an
// operator in some places; in others it starts the co_await before the whole expression, whatever the condition, and
// drops what comes back. The value of the expression is right even so, and no warning tells.
//
// Promise: the places that docs/hazards.md calls right are right with every compiler, and all places are with clang.
// Those that a g++ gets wrong are counted and printed. When a g++ gets one of them right the test says MENDED, and
// CTest shows it as skipped: then the table, `tsubu lint` and this test have something to learn. Method: each operator
// inside each other, in each place, is a coroutine of its own, and must run nothing of its awaiter.
#include <coroutine>
#include <cstdio>
#include <exception>
#include <iterator>
#include <string_view>

namespace {

int started = 0;
volatile bool no = false, yes = true;

// A coroutine without a start of its own, so that nothing but the compiler is looked at.
struct coroutine {
  struct promise_type {
    coroutine get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(int) {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

template <class T>
struct asked {
  explicit asked(T v) : value(v) {}
  asked(const asked&) = delete;
  asked& operator=(const asked&) = delete;
  ~asked() {}  // NOLINT(modernize-use-equals-default): a trivial one is another case for the compiler
  bool await_ready() const {
    ++started;
    return false;
  }
  void await_suspend(std::coroutine_handle<>) const {}
  T await_resume() const { return value; }
  T value;
};

int same(int x) { return x; }

// What may not be evaluated, and is not.
#define INNER_logical_and (b && co_await asked(1) > 0)
#define INNER_logical_or (t || co_await asked(1) > 0)
#define INNER_number (b ? co_await asked(1) : 0)
#define INNER_boolean (b ? co_await asked(true) : x == 7)

// What it is an operand of.
#define OUTER_alone(e) e
#define OUTER_negated(e) !e
#define OUTER_right_of_and(e) t&& e
#define OUTER_left_of_and(e) e&& t
#define OUTER_right_of_or(e) b || e
#define OUTER_operand_of_choice(e) t ? e : 0
#define OUTER_decides_choice(e) e ? 1 : 0
#define OUTER_sum(e) 1 + e

// And where that is.
#define PLACE_statement(e) (void)(e);
#define PLACE_initialiser(e) \
  const int y = e;           \
  x = y;
#define PLACE_bool_initialiser(e) \
  const bool y = e;               \
  x = y ? 1 : 0;
#define PLACE_assignment(e) x = e;
#define PLACE_bool_assignment(e) \
  bool y = false;                \
  y = e;                         \
  x = y ? 1 : 0;
#define PLACE_if_condition(e) \
  if (e) ++x;
#define PLACE_while_condition(e) \
  while (e) {                    \
    ++x;                         \
    break;                       \
  }
#define PLACE_return(e) \
  if (t) co_return e;
#define PLACE_argument(e) x = same(e);
#define PLACE_compound_assignment(e) x += e;

#define FORM(place, outer, inner)                            \
  coroutine place##_##outer##_##inner() {                    \
    const bool b = no, t = yes;                              \
    int x = b || !t ? 1 : 0;                                 \
    PLACE_##place(OUTER_##outer(INNER_##inner)) co_return x; \
  }
#define EACH_INNER(of, place, outer) \
  of(place, outer, logical_and) of(place, outer, logical_or) of(place, outer, number) of(place, outer, boolean)
#define EACH_OUTER(of, place)         \
  EACH_INNER(of, place, alone)        \
  EACH_INNER(of, place, negated)      \
  EACH_INNER(of, place, right_of_and) \
  EACH_INNER(of, place, left_of_and)  \
  EACH_INNER(of, place, right_of_or)  \
  EACH_INNER(of, place, operand_of_choice) EACH_INNER(of, place, decides_choice) EACH_INNER(of, place, sum)
#define EACH_FORM(of)              \
  EACH_OUTER(of, statement)        \
  EACH_OUTER(of, initialiser)      \
  EACH_OUTER(of, bool_initialiser) \
  EACH_OUTER(of, assignment)       \
  EACH_OUTER(of, bool_assignment)  \
  EACH_OUTER(of, if_condition)     \
  EACH_OUTER(of, while_condition) EACH_OUTER(of, return) EACH_OUTER(of, argument) EACH_OUTER(of, compound_assignment)

EACH_FORM(FORM)

struct form {
  std::string_view place, outer, inner;
  coroutine (*begin)();
};
#define ENTRY(place, outer, inner) {#place, #outer, #inner, &place##_##outer##_##inner},
const form forms[] = {EACH_FORM(ENTRY)};

// As docs/hazards.md says, and await_query.hpp of `tsubu lint`.
bool is_promised(const form& f) {
  const bool takes_bool = f.place == "bool_initialiser" || f.place == "bool_assignment" || f.place == "if_condition";
  const bool takes_int = f.place == "initialiser" || f.place == "assignment";
  const bool statement = f.place == "statement";
  const bool logical = f.inner.starts_with("logical");
  if (f.outer == "alone") {
    if (statement) return true;
    return f.inner == "number" ? takes_int : takes_bool;
  }
  if (f.outer == "negated" || f.outer.starts_with("right_of")) return logical && (takes_bool || statement);
  if (f.outer == "operand_of_choice") return f.inner == "number" && (takes_int || statement);
  return false;
}

bool is_right(const form& f) {
  started = 0;
  const coroutine c = f.begin();
  while (!c.handle.done()) c.handle.resume();
  c.handle.destroy();
  return started == 0;
}

}  // namespace

int main() {
  int wrong = 0, promised_wrong = 0, others = 0;
  for (const form& f : forms) {
    const bool promised = is_promised(f), right = is_right(f);
    others += promised ? 0 : 1;
    wrong += promised || right ? 0 : 1;
    if (!promised || right) continue;
    ++promised_wrong;
    std::printf("  wrong: %s of %s, %s\n", f.inner.data(), f.outer.data(), f.place.data());
  }
  std::printf("%d of %zu promised forms are wrong\n", promised_wrong,
              std::size(forms) - static_cast<std::size_t>(others));
  std::printf("%d of %d others are wrong with this compiler (%s)\n", wrong, others, __VERSION__);
#ifdef __clang__
  return promised_wrong + wrong == 0 ? 0 : 1;
#else
  constexpr int wrong_since_12 = 252;
  if (wrong < wrong_since_12) std::printf("MENDED: %d were wrong with g++ 12 to 16\n", wrong_since_12);
  return promised_wrong == 0 ? 0 : 1;
#endif
}
