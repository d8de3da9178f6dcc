// Promise: past, now and future run functions, coroutines and lambdas on any PE, the own one included,
// with arguments and results of any sendable type; what they throw reaches the caller.
#include <cereal/types/memory.hpp>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <variant>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;
using namespace std::chrono_literals;

namespace programs::remote_calls {

struct point {  // travels as its bytes
  double x, y;
  bool operator==(const point&) const = default;
};

struct person {  // travels through cereal
  std::string name;
  std::vector<std::string> children;
  std::map<std::string, std::vector<int>> marks;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, children, marks);
  }
  bool operator==(const person&) const = default;
};

struct out_of_stock : std::exception {
  const char* what() const noexcept override { return "no flour"; }
};

pe_local<long> total;

void add(long k) { *total += k; }
long get() { return *total; }
long twice(long x) { return 2 * x; }
task<long> twice_later(long x) {
  co_await sleep_for(1ms);
  co_return 2 * x;
}
task<long> twice_at_once(long x) { co_return 2 * x; }
task<void> add_later(long k) {
  co_await yield();
  *total += k;
}
point mirrored(point p) { return {p.y, p.x}; }
person grown(person p, const std::string& child) {
  p.children.push_back(child);
  p.marks[child] = {1, 2, 3};
  return p;
}
std::string joined(std::vector<std::string> words, std::string between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}
std::optional<std::tuple<int, std::string>> wrapped(int n, std::optional<std::string> s) {
  if (!s) return std::nullopt;
  return std::tuple(n, *s);
}
std::pair<double, int> turned_round(std::pair<int, double> p) { return {p.second, p.first}; }
std::unique_ptr<std::string> doubled(std::unique_ptr<std::string> s) {
  *s += *s;
  return s;
}
std::variant<int, std::set<int>> as_set(std::vector<std::tuple<int, char>> all) {
  if (all.size() < 2) return static_cast<int>(all.size());
  std::set<int> numbers;
  for (const auto& [n, c] : all) numbers.insert(n * c);
  return numbers;
}
int bake() { throw out_of_stock(); }
task<int> bake_later() {
  co_await yield();
  throw std::out_of_range("oven");
}
void throw_number() { throw 17; }
pe_id where() { return this_pe(); }

struct shop {
  long sold = 0;
  long sell(long n) { return sold += n; }
  task<long> sell_later(long n) {
    co_await yield();
    co_return sold += n;
  }
  void close() noexcept { sold = -1; }
  std::string sign(std::string name) const { return name + "'s"; }
};

task<void> all_kinds(pe_id pe) {
  expect_equal(co_await at(pe).now<where>(), pe, "the PE that answers");
  expect_equal(co_await at(pe).now<twice>(21), 42, "now of a function");
  expect_equal(co_await at(pe).now<twice_later>(21), 42, "now of a coroutine that waits");
  expect_equal(co_await at(pe).now<twice_at_once>(21), 42, "now of a coroutine that does not");
  future<long> later = at(pe).future<twice>(4);
  future<long> later_still = at(pe).future<twice_later>(5);
  expect_equal(co_await std::move(later_still), 10, "future of a coroutine");
  expect_equal(co_await std::move(later), 8, "future of a function");

  const long before = co_await at(pe).now<get>();
  at(pe).past<add>(5);
  at(pe).past<add_later>(6);
  co_await at(pe).now<add>(7);
  co_await at(pe).now<add_later>(8);
  co_await at(pe).future<add>(9);
  co_await quiescence();
  expect_equal(co_await at(pe).now<get>(), before + 35, "the sum of what was added");
}

task<void> all_types(pe_id pe) {
  expect(co_await at(pe).now<mirrored>(point{1, 2}) == point{2, 1}, "a trivially copyable type");
  person anna{"Anna", {"Ben"}, {{"Ben", {4, 5}}}};
  const person more = co_await at(pe).now<grown>(anna, std::string("Cleo"));
  anna.children.push_back("Cleo");
  anna.marks["Cleo"] = {1, 2, 3};
  expect(more == anna, "a type with serialize()");
  std::vector<std::string> words{"a", std::string(300, 'b'), "", "c"};
  const std::string text = co_await at(pe).now<joined>(words, ", ");
  expect(text == "a, " + std::string(300, 'b') + ", , c", "a vector of strings");
  auto nothing = co_await at(pe).now<wrapped>(1, std::nullopt);
  expect(!nothing, "an empty optional");
  std::optional<std::string> two("two");
  auto both = co_await at(pe).now<wrapped>(2, two);
  expect(both == std::tuple(2, std::string("two")), "an optional tuple");
  expect(co_await at(pe).now<turned_round>(std::pair(1, 2.5)) == std::pair(2.5, 1), "a pair of plain values");
  auto text_twice = co_await at(pe).now<doubled>(std::make_unique<std::string>("ha"));
  expect(text_twice != nullptr && *text_twice == "haha", "a unique pointer");
  std::vector<std::tuple<int, char>> few{{2, 3}, {4, 5}};
  const std::set<int> products{6, 20};
  const auto set_or_number = co_await at(pe).now<as_set>(few);
  expect(std::get<std::set<int>>(set_or_number) == products, "a variant of a set");
}

task<void> lambdas(pe_id pe) {
  int k = 5;
  const point p{3, 4};
  expect_equal(co_await at(pe).now([k] { return k * k; }), 25, "a lambda's result");
  expect_equal(co_await at(pe).now([p](double f) { return f * (p.x + p.y); }, 2.0), 14.0, "a lambda with an argument");
  expect_equal(co_await at(pe).now(
                   [k](int z) -> task<int> {
                     co_await sleep_for(1ms);
                     co_return k* z;
                   },
                   3),
               15, "a coroutine lambda");
  std::string name = "grain";
  auto size = at(pe).future([](const std::string& s) { return s.size(); }, name);
  expect_equal(co_await std::move(size), 5U, "a lambda with a string as its argument");
  at(pe).past([k](long n) { *total += n * k; }, 2L);
  at(pe).past([k]() -> task<void> {
    co_await yield();
    *total -= k * 2;
  });
  co_await at(pe).now([] {});
  co_await quiescence();
}

task<void> errors(pe_id pe) {
  try {
    co_await at(pe).now<bake>();
    expect(false, "bake() throws");
  } catch (const remote_error& e) {
    expect(e.pe() == pe, "the error names the PE");
    expect(e.type().find("out_of_stock") != std::string::npos, "the error names its type: " + e.type());
    expect(e.message() == "no flour", "the error keeps its message");
    expect(std::string(e.what()).find("no flour") != std::string::npos, "what() has the message");
  }
  auto later = at(pe).future<bake_later>();
  try {
    co_await std::move(later);
    expect(false, "bake_later() throws");
  } catch (const remote_error& e) {
    expect(e.type() == "std::out_of_range" && e.message() == "oven",
           "the error of a coroutine: " + std::string(e.what()));
  }
  try {
    co_await at(pe).now<throw_number>();
    expect(false, "throw_number() throws");
  } catch (const remote_error& e) {
    expect(e.type() == "int" && e.message() == "17", "an error that is no std::exception: " + e.message());
  }
  try {
    co_await at(pe).now([] { throw std::logic_error("lambda"); });
    expect(false, "the lambda throws");
  } catch (const remote_error& e) {
    expect(e.message() == "lambda", "the error of a lambda");
  }
  // Who is in the middle changes nothing.
  const pe_id beyond = (pe + 1) % pe_count();
  try {
    co_await at(pe).now([beyond]() -> task<int> { co_return co_await at(beyond).now<bake>(); });
    expect(false, "the error passes through");
  } catch (const remote_error& e) {
    expect(e.pe() == beyond && e.message() == "no flour", "an error passes through a PE: " + std::string(e.what()));
  }
}

task<void> methods(pe_id pe) {
  auto s = co_await allocate<shop>(pe);
  at(s).past<&shop::sell>(2);
  expect_equal(co_await at(s).now<&shop::sell>(3), 5, "a method");
  expect_equal(co_await at(s).now<&shop::sell_later>(4), 9, "a method that is a coroutine");
  auto sign = at(s).future<&shop::sign>("Anna");
  expect(co_await std::move(sign) == "Anna's", "a const method");
  co_await at(s).now<&shop::close>();
  expect_equal(co_await at(s).now<&shop::sell>(0), -1, "after a noexcept method");
  co_await deallocate(s);
}

// What is overloaded is named by its type.
std::string shown(int number) { return "number " + std::to_string(number); }
std::string shown(std::string text) { return "text " + text; }

struct display {
  std::string last;
  void show(int number) { last = shown(number); }
  std::string show(std::string text) { return last = shown(text); }
};

task<void> overloads(pe_id pe) {
  constexpr auto shown_text = static_cast<std::string (*)(std::string)>(shown);
  expect(co_await at(pe).now<shown_text>("a") == "text a", "one function of an overload set");
  expect(co_await at(pe).now([](int number) { return shown(number); }, 2) == "number 2", "another, in a lambda");
  const auto d = co_await allocate<display>(pe);
  constexpr auto show_text = static_cast<std::string (display::*)(std::string)>(&display::show);
  expect(co_await at(d).now<show_text>("b") == "text b", "one method of an overload set");
  co_await deallocate(d);
}

task<void> groups() {
  const long p = pe_count();
  const std::vector<pe_id> numbers = co_await everywhere().now<where>();
  expect_equal(numbers.size(), static_cast<std::size_t>(p), "one reply of each PE");
  for (pe_id pe = 0; pe < p; ++pe) expect_equal(numbers[static_cast<std::size_t>(pe)], pe, "the reply of a PE");
  expect_equal(co_await everywhere().now<where>(reduce::plus), p * (p - 1) / 2, "a sum over PEs");
  expect_equal(co_await everywhere().now<where>(reduce::max), p - 1, "a maximum over PEs");
  co_await everywhere().now([] { *total = 0; });
  everywhere().past<add>(3);
  everywhere().past([](long n) { *total += n; }, 4L);
  co_await quiescence();
  expect_equal(co_await everywhere().now<get>(reduce::plus), 7 * p, "past everywhere");
  auto all = everywhere().future<twice>(6);
  expect_equal((co_await std::move(all)).size(), static_cast<std::size_t>(p), "future everywhere");
}

// Futures that nobody takes: the reply comes and is dropped.
task<void> dropped_futures(pe_id pe) {
  for (int i = 0; i < 1000; ++i) (void)at(pe).future<twice>(i);
  for (int i = 0; i < 10; ++i) (void)at(pe).future<bake>();
  (void)at(pe).future<twice_later>(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<future<long>> race;
    race.push_back(at(pe).future<twice_later>(1));
    race.push_back(at(pe).future<twice>(2));
    race.push_back(at((pe + 1) % pe_count()).future<twice_later>(3));
    auto first = co_await when_any(std::move(race));
    expect(first.value == 2 * static_cast<long>(first.index + 1), "when_any tells which came first");
    if (round % 2 == 0) {
      for (std::size_t i = 0; i < first.others.size(); ++i) {
        if (i != first.index)
          expect_equal(co_await std::move(first.others[i]), 2 * static_cast<long>(i + 1), "another future");
      }
    }
  }
  std::vector<future<long>> many;
  for (long i = 0; i < 300; ++i) many.push_back(at(static_cast<pe_id>(i) % pe_count()).future<twice>(i));
  const std::vector<long> values = co_await when_all(std::move(many));
  for (long i = 0; i < 300; ++i) expect_equal(values[static_cast<std::size_t>(i)], 2 * i, "when_all over futures");
}

// A question that is answered when somebody says so.
pe_local<promise<int>> held_back;
task<int> answer_when_told() {
  *held_back = promise<int>();
  future<int> told = held_back->get_future();
  co_return co_await told;
}
void tell(int answer) { held_back->set_value(answer); }

// Several waits at once: questions in one expression, the first of some, and no longer than a time.
task<void> several_waits(pe_id pe) {
  using namespace std::chrono_literals;
  const auto [now, later, waited] =
      co_await when_all(at(pe).now<twice_at_once>(4), at(pe).future<twice_later>(5), sleep_for(1us));
  expect_equal(now + later, 18, "two answers, of a question and of a future");

  expect_equal(co_await within(1ms, at(pe).future<answer_when_told>()), std::nullopt, "what nobody answers in time");
  co_await at(pe).now<tell>(3);  // the answer comes, and nobody waits for it any more
  const auto first = co_await when_any(at(pe).future<answer_when_told>(), at(pe).future<twice_at_once>(6));
  expect_equal(first.index(), 1u, "which answer came first");
  expect_equal(std::get<1>(first), 12, "the first answer");
  co_await at(pe).now<tell>(4);
  expect_equal(co_await within(1h, at(pe).future<twice_later>(7)), 14, "an answer in time");
}

task<int> program(arguments) {
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    co_await all_kinds(pe);
    co_await all_types(pe);
    co_await lambdas(pe);
    co_await errors(pe);
    co_await methods(pe);
    co_await overloads(pe);
    co_await dropped_futures(pe);
    co_await several_waits(pe);
  }
  co_await groups();
  co_return 0;
}

const test::joined_program entry("remote_calls", run, program);

}  // namespace programs::remote_calls
