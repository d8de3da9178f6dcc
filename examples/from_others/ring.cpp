// A ring of objects, for docs/from_others.md: a token goes from each to the next, and who stops it says so.
#include <tsubu/tsubu.hpp>

#include <cstddef>
#include <cstdio>

using namespace tsubu;

struct place : object<place> {
  using ring_of_places = object_array<place, by_cycle>;

  explicit place(array_index i) : number(i.value) {}

  // Answers itself, or lets the next one answer for it.
  delegated<std::size_t> take(ring_of_places ring, long hops) {
    if (hops == 0) return number;
    return ring[(number + 1) % ring.size()].now<&place::take>(ring, hops - 1);
  }

  std::size_t number;
};

task<int> program(arguments) {
  constexpr long hops = 10'003;
  const auto ring = create_array<place>(500, by_cycle());
  const std::size_t stopped = co_await ring[0].now<&place::take>(ring, hops);
  std::printf("place %zu has the token\n", stopped);
  co_return stopped == 3 ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
