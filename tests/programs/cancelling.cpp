// Promise: whoever cancels, all who ask or wait learn of it, on every PE, and what is cancelled says who did it and
// where; the first answer of a race ends the others; loops and searches that would take for ever end when one of their
// bodies has found what is sought; what is not cancelled is not disturbed.
// Method: races, families of sources, deadlines, a loop of 10^15 indices and the first solution of 16 queens. --seed N.
#include <ranges>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"
#include "tsubu/parallel/until_cancelled.hpp"

using namespace tsubu;
using namespace std::chrono_literals;

namespace programs::cancelling {

pe_local<int> searching;

// Searches until it is told to stop, or has looked so many times.
task<int> search(cancel_token token, int looks) {
  ++*searching;
  int looked = 0;
  bool cut = false;
  try {
    for (; looked < looks; ++looked) {
      token.throw_if_cancelled();
      co_await yield();
    }
  } catch (const cancelled&) {
    cut = true;
  }
  --*searching;
  if (cut) throw cancelled(*token.why());
  co_return looked;
}

// What a question came to: its answer, or -1 if it was cancelled, by that PE.
task<int> answer_of(future<int> asked, pe_id by) {
  try {
    co_return co_await std::move(asked);
  } catch (const cancelled& c) {
    expect_equal(c.pe(), by, "who is said to have cancelled it");
    expect(c.file().find("cancelling.cpp") != std::string::npos, "the file is named");
  }
  co_return -1;
}

// One of several searches ends by itself.
task<void> race(std::mt19937_64& random) {
  const auto winner = below(random, 3);
  const cancel_source source;
  std::vector<future<int>> searches;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto pe = static_cast<pe_id>(below(random, static_cast<std::size_t>(pe_count())));
    searches.push_back(at(pe).future<search>(source.token(), k == winner ? 200 : 2'000'000'000));
  }
  auto first = co_await when_any(std::move(searches));
  source.cancel();
  expect_equal(first.index, winner, "who is first");
  expect_equal(first.value, 200, "its answer");
  for (auto& other : first.others) {
    if (!other.valid()) continue;
    const int end = co_await answer_of(std::move(other), this_pe());
    expect_equal(end, -1, "the end of another");
  }
}

// By any PE, before, while and after others search.
task<void> by_any_pe(std::mt19937_64& random) {
  for (pe_id by = 0; by < pe_count(); ++by) {
    const cancel_source source;
    const auto cancel = [](cancel_token token) { token.cancel(); };
    const bool before = below(random, 2) == 0;
    if (before) co_await at(by).now(cancel, source.token());
    std::vector<future<int>> searches;
    for (pe_id pe = 0; pe < pe_count(); ++pe) searches.push_back(at(pe).future<search>(source.token(), 2'000'000'000));
    for (std::size_t k = below(random, 20); k > 0; --k) co_await yield();
    if (!before) co_await at(by).now(cancel, source.token());
    for (auto& one : searches) {
      const int end = co_await answer_of(std::move(one), by);
      expect_equal(end, -1, "the end of a search");
    }
    const cancel_source unharmed;
    const int looked = co_await or_cancelled(unharmed.token(), at(by).future<search>(unharmed.token(), 5));
    expect_equal(looked, 5, "the looks of one that nobody cancels");
  }
}

// A parent on one PE, children on all others, and theirs on PE 0 again.
task<int> with_a_child(cancel_token parent, int depth) {
  const cancel_source own(parent);
  if (depth == 0) co_return co_await search(own.token(), 2'000'000'000);
  co_return co_await at((this_pe() + 1) % pe_count()).now<with_a_child>(own.token(), depth - 1);
}
task<void> families() {
  cancel_source parent, brother;
  cancel_source child(parent.token());
  auto below_child = at(pe_count() - 1).future<with_a_child>(child.token(), 3);
  auto below_parent = at(pe_count() / 2).future<with_a_child>(parent.token(), 4);
  auto beside = at(pe_count() / 2).future<with_a_child>(brother.token(), 0);
  child.cancel();
  const int first = co_await answer_of(std::move(below_child), this_pe());
  expect(!parent.cancelled() && !below_parent.ready(), "a parent does not go with its child");
  parent.cancel();
  const int second = co_await answer_of(std::move(below_parent), this_pe());
  expect(!brother.cancelled() && !beside.ready(), "a stranger is not touched");
  brother.cancel();
  const int third = co_await answer_of(std::move(beside), this_pe());
  expect(first == -1 && second == -1 && third == -1, "all have ended by it");
}

task<void> deadlines() {
  const cancel_source source;
  source.cancel_after(2ms);
  bool told = false;
  try {
    co_await at(pe_count() - 1).now<search>(source.token(), 2'000'000'000);
  } catch (const cancelled& c) {
    told = c.time_up() && c.pe() == this_pe();
  }
  expect(told, "the time was up");
  const cancel_source long_lived;
  long_lived.cancel_after(1h);
  const auto stop = [](cancel_token token) { token.cancel(); };
  at(pe_count() - 1).past(stop, long_lived.token());
  told = false;
  try {
    co_await or_cancelled(long_lived.token(), 1h);
  } catch (const cancelled& c) {
    told = !c.time_up() && c.pe() == pe_count() - 1;
  }
  expect(told, "a sleep is cut short");
}

// An object's method says so, too, by value and by an exception that goes through several PEs.
struct seeker : object<seeker> {
  int found = 0;
  task<int> seek(cancel_token token) { co_return found = co_await search(token, 2'000'000'000); }
};
task<void> by_objects() {
  const cancel_source source;
  const ref<seeker> far = create<seeker>(at(pe_count() - 1));
  const ref<seeker> near = create<seeker>(here());
  auto one = far.future<&seeker::seek>(source.token());
  auto other = near.future<&seeker::seek>(source.token());
  source.cancel();
  const int end = co_await answer_of(std::move(one), this_pe());
  const int end_here = co_await answer_of(std::move(other), this_pe());
  expect(end == -1 && end_here == -1, "both methods have ended by it");
}

// ---- work that any PE may run

struct board {
  int size = 0, rows = 0;
  std::uint32_t straight = 0, falling = 0, rising = 0;
  std::array<std::int8_t, 20> queens{};
};
board first_of(board a, board b) { return a.rows == a.size && a.size != 0 ? a : b; }

bool is_solution(const board& b) {
  for (int i = 0; i < b.size; ++i) {
    for (int j = 0; j < i; ++j) {
      const int apart = b.queens[static_cast<std::size_t>(i)] - b.queens[static_cast<std::size_t>(j)];
      if (apart == 0 || apart == i - j || apart == j - i) return false;
    }
  }
  return b.rows == b.size && b.size > 0;
}

// 16 queens have 14,772,512 solutions.
task<void> first_solution() {
  const cancel_source found;
  const auto place = [token = found.token()](board b, work_items<board>& more) {
    if (b.rows == b.size) {
      token.cancel();
      return b;
    }
    const std::uint32_t all = (std::uint32_t{1} << b.size) - 1;
    for (std::uint32_t free = all & ~(b.straight | b.falling | b.rising); free != 0; free &= free - 1) {
      const std::uint32_t queen = free & (~free + 1);
      board next{b.size, b.rows + 1, b.straight | queen, (b.falling | queen) << 1, (b.rising | queen) >> 1, b.queens};
      next.queens[static_cast<std::size_t>(b.rows)] = static_cast<std::int8_t>(std::countr_zero(queen));
      more.add(next);
    }
    return board();
  };
  const board start{.size = 16};
  const auto choose = [](board a, board b) { return first_of(a, b); };
  const board solution = co_await parallel_items(start, choose, until_cancelled(found.token(), place));
  expect(is_solution(solution), "what was found is a solution");
  expect(found.cancelled(), "and the search was cut short");
}

// A loop that would take for years, in plain bodies and in ones that wait.
task<void> endless_loops() {
  constexpr std::int64_t years = 1'000'000'000'000'000;
  const cancel_source stop;
  const auto look = [token = stop.token()](std::int64_t i) {
    work(100);
    if (i % 20'000 == 0) token.cancel();
    return std::int64_t{1};
  };
  const std::int64_t ran = co_await parallel_reduce(std::views::iota(std::int64_t{0}, years), 100, reduce::plus,
                                                    until_cancelled(stop.token(), look));
  expect(ran > 0 && ran < years, "some have run");
  const cancel_source stop_waiting;
  const auto wait = [token = stop_waiting.token()](std::int64_t i) -> task<void> {
    co_await yield();
    if (i % 2'000 == 0) token.cancel();
  };
  co_await parallel_for(std::views::iota(std::int64_t{0}, years), 10, until_cancelled(stop_waiting.token(), wait));
  expect(stop_waiting.cancelled(), "the loop was cut short");
  // One that nobody cancels runs whole.
  const cancel_source never;
  const auto one = [](int) { return 1; };
  const int whole =
      co_await parallel_reduce(std::views::iota(0, 10'000), 10, reduce::plus, until_cancelled(never.token(), one));
  expect_equal(whole, 10'000, "the indices of a whole loop");
}

task<int> program(arguments args) {
  std::mt19937_64 random = seeded(args);
  for (std::uint64_t round = option(args, "--rounds", 2); round > 0; --round) {
    co_await race(random);
    co_await by_any_pe(random);
    co_await families();
  }
  co_await deadlines();
  co_await by_objects();
  co_await first_solution();
  co_await endless_loops();
  const auto left = co_await everywhere().now(reduce::plus, [] { return *searching; });
  expect_equal(left, 0, "searches that still run");
  co_return 0;
}

const test::joined_program entry("cancelling", run, program);

}  // namespace programs::cancelling
