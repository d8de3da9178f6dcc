// Promise: whatever an idle PE expects of its next message, and does ahead, the message that comes is the one that is
// executed, on the object as it is then. Method: questions of many sizes and kinds to objects that are created, changed
// from outside and from their own PE, and ended, in an order that is foreseen now and then; each answer is checked
// against a model. --rounds N, --seed N; --tsubu-predictor says how messages are foreseen.
#include <numeric>
#include <optional>
#include <vector>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;
using namespace std::chrono_literals;

namespace programs::predicted {

struct cell : object<cell> {
  long value = 0;
  long history[40] = {};
  cell() = default;
  explicit cell(long v) : value(v) {}
  void add(long k) { history[static_cast<std::size_t>(k) % 40] = value += k; }
  long get() { return value; }
  long read() const { return value; }
  long scaled(long factor, long more) const { return value * factor + more; }
  // Throws for what nobody asks, but for whoever expects too much.
  long positive() const {
    if (value < 0) throw std::runtime_error("it is negative");
    return value;
  }
  void end() { retire(); }
};

long squared(long x) { return x * x; }

}  // namespace programs::predicted

template <>
inline constexpr bool tsubu::pure<&programs::predicted::cell::read> = true;
template <>
inline constexpr bool tsubu::pure<&programs::predicted::cell::scaled> = true;
template <>
inline constexpr bool tsubu::pure<&programs::predicted::cell::positive> = true;
template <>
inline constexpr bool tsubu::pure<&programs::predicted::squared> = true;

namespace programs::predicted {

std::vector<int> reversed(std::vector<int> v) { return {v.rbegin(), v.rend()}; }

// The object is changed by a task of its own PE, with no message, while that PE may have an answer ready.
task<void> change_later(ref<cell> c, long k) {
  co_await sleep_for(20us);
  c.past<&cell::add>(k);  // on this PE: at once
}

struct modelled {
  ref<cell> object;
  long value;
};

task<void> ask_one(modelled& m, std::uint64_t what, std::uint64_t size) {
  const pe_id home = m.object.pe();
  const long k = static_cast<long>(size % 7);
  switch (what) {
    case 0:
      m.object.past<&cell::add>(k);
      m.value += k;
      break;
    case 1:
      expect_equal(co_await m.object.now<&cell::get>(), m.value, "what an object answers");
      break;
    case 2:
    case 3:
      expect_equal(co_await m.object.now<&cell::read>(), m.value, "what a pure method answers");
      break;
    case 4:
      expect_equal(co_await m.object.now<&cell::scaled>(k, 1), m.value * k + 1, "what a pure method of two answers");
      break;
    case 5:
      expect_equal(co_await at(home).now<squared>(k), k * k, "what a pure function answers");
      break;
    case 6: {
      std::vector<int> v(size);
      std::iota(v.begin(), v.end(), 0);
      const std::vector<int> back = co_await at(home).now<reversed>(v);
      expect(std::vector<int>(back.rbegin(), back.rend()) == v, "a vector comes back reversed");
      break;
    }
    case 7: {
      co_await at(home).now<change_later>(m.object, k);
      m.value += k;
      expect_equal(co_await m.object.now<&cell::read>(), m.value, "what a pure method answers after a change");
      break;
    }
    default: {  // an end, and perhaps the same number for another object
      m.object.past<&cell::end>();
      m.object = create<cell>(at(home), k - 3);
      m.value = k - 3;
      bool threw = false;
      long answer = 0;
      try {
        answer = co_await m.object.now<&cell::positive>();
      } catch (const remote_error&) {
        threw = true;
      }
      expect_equal(threw, m.value < 0, "whether a pure method throws");
      if (!threw) expect_equal(answer, m.value, "what it answers else");
      break;
    }
  }
}

task<int> program(arguments args) {
  std::mt19937_64 random = seeded(args);
  const auto rounds = option(args, "--rounds", 300);
  std::vector<modelled> all;
  for (int i = 0; i < 6; ++i) all.push_back({create<cell>(at(i % pe_count()), i), i});
  for (std::uint64_t round = 0; round < rounds; ++round) {
    // The same few questions again and again, so that they are foreseen, and then others.
    const std::uint64_t period = 1 + random() % 4;
    std::vector<std::array<std::uint64_t, 3>> questions(period);
    for (auto& q : questions)
      q = {random() % all.size(), random() % 9, random() % 8 == 0 ? random() % 20'000 : random() % 8};
    for (std::uint64_t i = 0; i < 4 * period; ++i) {
      const auto& [which, what, size] = questions[i % period];
      co_await ask_one(all[which], what, size);
    }
  }
  for (modelled& m : all) {
    expect_equal(co_await m.object.now<&cell::read>(), m.value, "the last value of an object");
    m.object.past<&cell::end>();
  }
  co_return 0;
}

const test::joined_program entry("predicted", run, program);

}  // namespace programs::predicted
