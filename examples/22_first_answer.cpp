// The first answer ends the other searches; what the PEs have done is printed in their order.
//
// All PEs look for a way round a chess board by a knight that ends a move from where it began. Each move goes to a
// square with the fewest ways out, ties by chance: few tries come round.
//
//   example_22_first_answer [SIZE]
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

using namespace tsubu;
using namespace std::chrono_literals;

constexpr std::array<std::array<int, 2>, 8> jumps{
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};

std::vector<int> next_squares(int from, int size, const std::vector<bool>& visited) {
  std::vector<int> free;
  for (const auto& [dx, dy] : jumps) {
    const int x = from % size + dx, y = from / size + dy;
    if (x >= 0 && x < size && y >= 0 && y < size && !visited[static_cast<std::size_t>(y * size + x)])
      free.push_back(y * size + x);
  }
  return free;
}

// As far as it comes.
std::vector<int> try_once(int size, std::mt19937_64& random) {
  std::vector<bool> visited(static_cast<std::size_t>(size * size));
  std::vector<int> tour{0};
  for (;;) {
    visited[static_cast<std::size_t>(tour.back())] = true;
    std::vector<int> ways = next_squares(tour.back(), size, visited);
    if (ways.empty()) return tour;
    std::shuffle(ways.begin(), ways.end(), random);
    const auto ways_out = [&](int square) { return next_squares(square, size, visited).size(); };
    tour.push_back(
        *std::min_element(ways.begin(), ways.end(), [&](int a, int b) { return ways_out(a) < ways_out(b); }));
  }
}

bool comes_round(const std::vector<int>& tour, int size) {
  const int x = tour.back() % size, y = tour.back() / size;  // the tour begins in the corner 0, 0
  return tour.size() == static_cast<std::size_t>(size * size) && x + y == 3 && x > 0 && y > 0;
}

task<std::vector<int>> search(int size, cancel_token token) {
  std::mt19937_64 random(static_cast<std::uint64_t>(this_pe()));
  for (int tries = 1;; ++tries) {
    std::vector<int> tour = try_once(size, random);
    const bool found = comes_round(tour, size);
    if (found || token.cancelled()) say_in_order("PE {}: {} tries{}", this_pe(), tries, found ? ", and a tour" : "");
    if (found) co_return tour;
    token.throw_if_cancelled();
    co_await yield();  // so that the news of it comes in
  }
}

task<int> program(arguments args) {
  const int size = args.number(1, 30);
  cancel_source enough;
  enough.cancel_after(60s);

  std::vector<future<std::vector<int>>> searches;
  for (pe_id pe = 0; pe < pe_count(); ++pe) searches.push_back(at(pe).future<search>(size, enough.token()));
  auto first = co_await when_any(std::move(searches));
  enough.cancel();
  say("a tour of {} squares: {}, {}, {}, ...", first.value.size(), first.value[0], first.value[1], first.value[2]);

  int ended = 0;
  for (auto& other : first.others) {
    if (!other.valid()) continue;
    try {
      (void)co_await std::move(other);  // it may have found one, too
    } catch (const cancelled& c) {
      say_debug("{}", c.what());
    }
    ++ended;
  }
  co_return ended == pe_count() - 1 ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
