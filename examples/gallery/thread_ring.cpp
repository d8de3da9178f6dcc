// Thread ring, of the Savina benchmarks: a token goes round a ring of 500 objects for a number of hops, and the object
// that holds it after the last one says its place. Neighbours in the ring are on different PEs, so that each hop is a
// message; the one who asked gets the answer from the object that stops the token, and from no other.
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <string>
#include <vector>

using namespace tsubu;

constexpr int size = 500;

struct runner : object<runner> {
  runner(int place, ref<runner> next) : place_(place), next_(next) {}

  void close_ring(ref<runner> first) { next_ = first; }
  delegated<int> take(long hops) {
    ++taken_;
    if (hops == 0) return place_;
    return next_.now<&runner::take>(hops - 1);
  }
  long taken() { return taken_; }

 private:
  int place_;
  ref<runner> next_;
  long taken_ = 0;
};

task<int> program(arguments args) {
  const long hops = args.number(1, 50'000L);

  std::vector<ref<runner>> ring(size);
  ref<runner> next;
  for (int i = size - 1; i >= 0; --i) {
    next = create<runner>(at(i % pe_count()), i, next);
    ring[static_cast<std::size_t>(i)] = next;
  }
  // Awaited, since the token comes to the last one from another PE, and two senders have no order.
  co_await ring.back().now<&runner::close_ring>(ring.front());

  const int stopped = co_await ring.front().now<&runner::take>(hops);
  long taken = 0;
  for (const long of_one : co_await now_all<&runner::taken>(ring)) taken += of_one;

  std::printf("after %ld hops the token is with object %d of %d\n", hops, stopped, size);
  const bool right = stopped == hops % size && taken == hops + 1;
  if (!right) std::printf("wrong: object %ld should have it, and it was taken %ld times\n", hops % size, taken);
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
