// Objects that end when nobody can reach them any more: a cache over all PEs, in a fixed memory.
//
// The cache is a ring of entries on all PEs, each of which knows the next and the one before, so no count of references
// would ever let one go. A new entry takes the place behind the cache's head; the oldest is cut off, and forgotten.
#include <tsubu/collection/collect.hpp>
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <cstdio>

using namespace tsubu;

pe_local<int> living;
pe_local<int> most_living;

struct entry : collected_object<entry> {
  int key = 0;
  strong_ref<entry> newer, older;

  explicit entry(int of) : key(of) { *most_living = std::max(*most_living, ++*living); }
  ~entry() { --*living; }

  void link(strong_ref<entry> to_newer, strong_ref<entry> to_older) {
    if (to_newer) newer = std::move(to_newer);
    if (to_older) older = std::move(to_older);
  }
  // The entry behind this one is the last.
  strong_ref<entry> next_newer() { return newer; }
  void cut() { older.reset(); }

  template <class A>
  void serialize(A& a) {
    a(key, newer, older);
  }
};

int living_here() { return *living; }
int most_living_here() { return *most_living; }

task<int> program(arguments) {
  constexpr int capacity = 100, inserted = 20'000, collect_every = 1000;
  strong_ref<entry> newest = create<entry>(at(0), 0), oldest = newest;
  for (int key = 1; key < inserted; ++key) {
    const strong_ref<entry> made = create<entry>(at(key % pe_count()), key);
    newest->past<&entry::link>(made, strong_ref<entry>());
    made->past<&entry::link>(strong_ref<entry>(), newest);
    newest = made;
    if (key >= capacity) {
      oldest = co_await oldest->now<&entry::next_newer>();
      oldest->past<&entry::cut>();
    }
    if (key % collect_every == 0) co_await collect();
  }
  const int most = co_await everywhere().now<most_living_here>(reduce::plus);
  co_await collect();
  const int left = co_await everywhere().now<living_here>(reduce::plus);
  newest.reset();
  oldest.reset();
  co_await collect();
  const int at_last = co_await everywhere().now<living_here>(reduce::plus);
  const bool right = left == capacity && at_last == 0 && most <= 2 * (capacity + collect_every);
  std::printf("%d entries were made: %d are left, and %d when the cache is forgotten\n", inserted, left, at_last);
  std::puts(right ? "right" : "WRONG");
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
