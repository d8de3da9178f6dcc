// Promise: parallel_for, parallel_reduce and parallel_items run each index and each item once, on whichever PEs, and
// return when all have run, with what they have caused; results are combined, an exception comes out, and loops of
// several PEs, nested ones and bodies that wait are as good as others.
// Method: marks on PE 0 are counted; sums and the size of a random tree are compared with those of one PE. --seed N.
#include <limits>
#include <numeric>
#include <ranges>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::parallel_work {

// How often each index was run, of the loop that each PE has opened: on that PE.
pe_local<std::vector<int>> marks;
void mark(std::int64_t i) { ++marks->at(static_cast<std::size_t>(i)); }

task<void> each_index_once(std::mt19937_64& random) {
  for (const int size : {0, 1, 2, 7, 1000}) {
    marks->assign(static_cast<std::size_t>(size), 0);
    const auto grain = static_cast<std::int64_t>(1 + below(random, 20));
    const pe_id opener = this_pe();
    co_await parallel_for(std::views::iota(0, size), grain, [opener](int i) { at(opener).past<mark>(i); });
    for (int i = 0; i < size; ++i) expect_equal((*marks)[static_cast<std::size_t>(i)], 1, "how often an index was run");
  }
}

task<void> sums(std::mt19937_64& random) {
  const auto first = -static_cast<std::int64_t>(below(random, 1000));
  const auto last = static_cast<std::int64_t>(below(random, 30'000));
  const auto grain = static_cast<std::int64_t>(1 + below(random, 300));
  std::int64_t wanted = 0;
  for (std::int64_t i = first; i < last; ++i) wanted += i * i;
  const auto range = std::views::iota(first, last);
  expect_equal(co_await parallel_reduce(range, grain, reduce::plus, [](std::int64_t i) { return i * i; }), wanted,
               "a sum of squares");
  // Whatever the indices, and a grain that none reaches.
  constexpr std::uint64_t middle = std::uint64_t{1} << 63;
  const auto across = co_await parallel_reduce(std::views::iota(middle - 10, middle + 10), grain, reduce::plus,
                                               [](std::uint64_t i) { return static_cast<std::int64_t>(i - middle); });
  expect_equal(across, std::int64_t{-10}, "a sum across 2^63");
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(), huge = -(least + 1);
  const auto low = co_await parallel_reduce(std::views::iota(least, least + 5), huge, reduce::plus, [](std::int64_t i) {
    return i - std::numeric_limits<std::int64_t>::min();
  });
  expect_equal(low, std::int64_t{10}, "a sum of the least");
  const std::int64_t most = co_await parallel_reduce(range, grain, reduce::max, [](std::int64_t i) { return -i; });
  expect_equal(most, first == last ? 0 : -first, "the largest");
  expect_equal(co_await parallel_reduce(std::views::iota(5, 5), 1, reduce::plus, [](int) { return 1.5; }), 0.0,
               "the sum of nothing");
  // An operation may have captures, as a body may.
  const std::int64_t bias = static_cast<std::int64_t>(below(random, 5));
  const auto biased = [bias](std::int64_t a, std::int64_t b) { return a + b + bias; };
  expect_equal(co_await parallel_reduce(std::views::iota(0, 100), 3, biased, [bias](int i) { return i - bias; }),
               4950 - bias, "a sum with a bias");
  expect_equal(co_await parallel_items(std::int64_t{99}, biased,
                                       [bias](std::int64_t i, work_items<std::int64_t>& more) {
                                         if (i > 0) more.add(i - 1);
                                         return i - bias;
                                       }),
               4950 - bias, "the same of items");
  // What travels need not be of fixed size.
  const auto longest = [](std::string a, std::string b) { return a.size() > b.size() ? a : b; };
  const std::string text = co_await parallel_reduce(
      std::views::iota(0, 300), 10, longest, [](int i) { return std::string(static_cast<std::size_t>(i), 'x'); });
  expect_equal(text.size(), 299u, "the length of the longest string");
}

std::int64_t ask(std::int64_t i) { return 3 * i; }

task<void> bodies_that_wait() {
  const auto asks = [](std::int64_t i) -> task<std::int64_t> {
    const auto to = static_cast<pe_id>(i % pe_count());
    co_return co_await at(to).now<ask>(i);
  };
  expect_equal(co_await parallel_reduce(std::views::iota(std::int64_t{0}, std::int64_t{2000}), 3, reduce::plus, asks),
               3 * 2000 * 1999 / 2, "the sum of answers");
  // A loop in a loop.
  const auto inner = [](int i) -> task<std::int64_t> {
    co_return co_await parallel_reduce(std::views::iota(0, i), 5, reduce::plus, [](int) { return std::int64_t{1}; });
  };
  expect_equal(co_await parallel_reduce(std::views::iota(0, 40), 1, reduce::plus, inner), 40 * 39 / 2,
               "the indices of inner loops");
}

// A tree that looks the same whoever walks over it.
struct node {
  std::uint64_t seed;
  int depth;
};
int children_of(const node& n) { return n.depth == 0 ? 0 : static_cast<int>(n.seed >> 61); }
node child_of(const node& n, int k) {
  return {(n.seed + static_cast<std::uint64_t>(k)) * 0x9e3779b97f4a7c15ULL ^ n.seed >> 29, n.depth - 1};
}
std::int64_t size_of(const node& n) {
  std::int64_t size = 1;
  for (int k = 0; k < children_of(n); ++k) size += size_of(child_of(n, k));
  return size;
}

task<void> trees(std::mt19937_64& random) {
  for (int round = 0; round < 5; ++round) {
    const node root{random(), 8};
    const auto walk = [](node n, work_items<node>& more) {
      for (int k = 0; k < children_of(n); ++k) more.add(child_of(n, k));
      return std::int64_t{1};
    };
    const auto walk_slowly = [](node n, work_items<node>& more) -> task<std::int64_t> {
      for (int k = 0; k < children_of(n); ++k) {
        if (k == 1) co_await yield();
        if (k == 2) co_await at(static_cast<pe_id>(n.seed % static_cast<std::uint64_t>(pe_count()))).now<ask>(1);
        more.add(child_of(n, k));
      }
      co_return 1;
    };
    const std::int64_t wanted = size_of(root);
    expect_equal(co_await parallel_items(root, reduce::plus, walk), wanted, "the nodes of a tree");
    const node smaller{root.seed, 5};
    const std::vector<node> twice(2, smaller);
    expect_equal(co_await parallel_items(twice, reduce::plus, walk_slowly), 2 * size_of(smaller),
                 "the nodes of two trees, by tasks");
  }
  // Items that own memory, and come back by messages.
  marks->assign(200, 0);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < 100; ++i) words.push_back(std::string(i, 'a'));
  const pe_id opener = this_pe();
  co_await parallel_items(words, [opener](std::string word, work_items<std::string>& more) {
    at(opener).past<mark>(static_cast<std::int64_t>(word.size()));
    if (!word.empty() && word.front() == 'a') more.add(std::string(word.size() + 100, 'b'));
  });
  for (std::size_t i = 0; i < 200; ++i) expect_equal((*marks)[i], i == 100 ? 0 : 1, "how often a word was run");
}

struct odd_index : std::runtime_error {
  odd_index() : std::runtime_error("an index that ends in 77") {}
};

template <class T>
task<std::string> thrown_by(task<T> work) {
  try {
    co_await std::move(work);
  } catch (const odd_index& e) {
    co_return e.what();
  } catch (const remote_error& e) {
    co_return e.message();
  }
  co_return "nothing";
}

task<void> exceptions() {
  const std::string wanted = "an index that ends in 77";
  const auto range = std::views::iota(0, 500);
  task<void> loop = parallel_for(range, 3, [](int i) {
    if (i % 100 == 77) throw odd_index();
  });
  expect_equal(co_await thrown_by(std::move(loop)), wanted, "what a loop throws");

  std::vector<int> items(100);
  std::iota(items.begin(), items.end(), 0);
  task<void> tasks = parallel_items(items, [](int i, work_items<int>&) -> task<void> {
    co_await yield();
    if (i == 77) throw odd_index();
  });
  expect_equal(co_await thrown_by(std::move(tasks)), wanted, "what a task of an item throws");

  const auto picky = [](int a, int b) {
    if (a + b > 400) throw odd_index();
    return a + b;
  };
  task<int> sum = parallel_reduce(range, 3, picky, [](int) { return 1; });
  expect_equal(co_await thrown_by(std::move(sum)), wanted, "what an operation throws");
}

// Results of any size are combined on their way to the opener, by an operation that has a state.
task<void> large_results() {
  const int width = 3000;
  const auto add = [width](std::vector<int> a, const std::vector<int>& b) {
    for (int i = 0; i < width; ++i) a[static_cast<std::size_t>(i)] += b[static_cast<std::size_t>(i)];
    return a;
  };
  const std::vector<int> counts = co_await parallel_reduce(std::views::iota(0, 400), 1, add, [width](int i) {
    std::vector<int> one(static_cast<std::size_t>(width));
    one[static_cast<std::size_t>(i % width)] = 1;
    one.back() += i;
    return one;
  });
  expect_equal(std::accumulate(counts.begin(), counts.begin() + 400, 0), 400, "indices counted in vectors");
  expect_equal(counts.back(), 400 * 399 / 2, "the sum in the last element");
}

task<int> program(arguments args) {
  std::mt19937_64 random = seeded(args);
  for (std::uint64_t round = 0; round < option(args, "--rounds", 3); ++round) {
    co_await each_index_once(random);
    co_await sums(random);
    co_await bodies_that_wait();
    co_await trees(random);
    co_await exceptions();
    co_await large_results();
  }
  co_return 0;
}

const test::joined_program entry("parallel_work", run_spmd, program);

}  // namespace programs::parallel_work
