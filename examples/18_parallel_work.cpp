// Work that belongs to no PE: a loop whose indices any PE may run, and a search whose parts show only while it is done.
//
// One PE opens each. The others have nothing to do, and take their share.
//
//   example_18_parallel_work [QUEENS]
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <ranges>
#include <utility>

using namespace tsubu;

// How many steps it takes to 1: half of an even number, three times an odd one and one more (Collatz).
int steps_to_one(std::int64_t n) {
  int steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

// A chess board with queens in the first rows. Bit k of each word: column k of the next row is attacked.
struct board {
  unsigned columns;
  unsigned falling;  // along the diagonals
  unsigned rising;
  int rows_left;

  board with(unsigned queen) const {
    return {columns | queen, (falling | queen) << 1, (rising | queen) >> 1, rows_left - 1};
  }
};

template <class F>
void for_each_place(const board& b, int size, const F& f) {
  const unsigned all = (1U << size) - 1;
  for (unsigned free = all & ~(b.columns | b.falling | b.rising); free != 0; free &= free - 1) f(free & -free);
}

long count(const board& b, int size) {
  if (b.rows_left == 0) return 1;
  long solutions = 0;
  for_each_place(b, size, [&](unsigned queen) { solutions += count(b.with(queen), size); });
  return solutions;
}

task<int> program(arguments args) {
  const int size = args.number(1, 11);

  constexpr std::int64_t below = 1'000'000;
  using longest = std::pair<int, std::int64_t>;  // the steps, and from where
  const auto [steps, start] = co_await parallel_reduce(std::views::iota(std::int64_t{1}, below), 100, reduce::max,
                                                       [](std::int64_t n) { return longest(steps_to_one(n), n); });
  std::printf("below %jd, %jd takes longest: %d steps\n", std::intmax_t{below}, std::intmax_t{start}, steps);

  const long solutions =
      co_await parallel_items(board{0, 0, 0, size}, reduce::plus, [size](board b, work_items<board>& more) -> long {
        if (b.rows_left <= 7) return count(b, size);  // a few microseconds: not worth sharing
        for_each_place(b, size, [&](unsigned queen) { more.add(b.with(queen)); });
        return 0;
      });
  std::printf("%ld ways to place %d queens\n", solutions, size);
  co_return steps == 524 && start == 837799 && (size != 11 || solutions == 2680) ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
