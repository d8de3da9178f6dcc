// Epochs: waiting for a part of the program, with all that it causes anywhere.
//
// quiescence() waits until nothing at all is left to do. An epoch waits for what its body has sent, for what that has
// sent in turn, and so on, and for nothing else: two searches may run at once, and each knows when it is finished.
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <unordered_map>

using namespace tsubu;

// A tree of numbers, n above 2n and 2n + 1, spread over all PEs. Each search has a name.
pe_local<std::unordered_map<int, long>> found;

void visit(int search, long n, long end) {
  if (n >= end) return;
  ++(*found)[search];
  for (long child : {2 * n, 2 * n + 1}) at(child % pe_count()).past<visit>(search, child, end);
}

long found_here(int search) { return (*found)[search]; }

task<long> search(int name, long end) {
  auto from_the_root = [name, end]() -> task<void> { co_await at(pe_count() - 1).past<visit>(name, 1L, end); };
  co_await epoch(from_the_root);
  co_return co_await everywhere().now<found_here>(reduce::plus, name);
}

task<int> program(arguments) {
  // Neither waits for the other's messages.
  const std::tuple<long, long> both = co_await when_all(search(1, 10'000), search(2, 100));
  const auto [one, two] = both;
  std::printf("%ld and %ld numbers\n", one, two);

  // Nested: the outer epoch ends after the inner one, and after its own message.
  bool right = one == 9'999 && two == 99;
  long inner = 0;
  auto outer = [&]() -> task<void> {
    at(0).past<visit>(3, 1L, 1'000L);
    inner = co_await search(4, 500);
  };
  co_await epoch(outer);
  right = right && inner == 499 && co_await everywhere().now<found_here>(reduce::plus, 3) == 999;
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
