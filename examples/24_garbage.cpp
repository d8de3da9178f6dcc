// Objects that end when nobody can reach them any more: a cache over all PEs, in a fixed memory.
//
// The cache is a ring of entries on all PEs, each of which knows the next and the one before, so no count of references
// would ever let one go. A new entry takes the place behind the cache's head; the oldest is cut off, and forgotten. The
// runtime finds it: nobody calls for that, as long as the cache is used (--tsubu-collect says how often).
//
//   24_garbage            30,000 entries
//   24_garbage SECONDS    as many as it can until then, with a line of figures each second, for docs/collection.md's
//   plot
#include <tsubu/collection/collect.hpp>
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>

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

struct cache {
  strong_ref<entry> newest = create<entry>(at(0), 0), oldest = newest;
  int inserted = 1;

  task<void> insert(int capacity) {
    const strong_ref<entry> made = create<entry>(at(inserted % pe_count()), inserted);
    newest->past<&entry::link>(made, strong_ref<entry>());
    made->past<&entry::link>(strong_ref<entry>(), newest);
    newest = made;
    // Where all objects are on one PE nothing here waits: it lets the PE do other things, too.
    if (inserted % 100 == 0) co_await yield();
    if (inserted++ < capacity) co_return;
    oldest = co_await oldest->now<&entry::next_newer>();
    oldest->past<&entry::cut>();
  }
};

task<int> living_everywhere() { co_return co_await everywhere().now<living_here>(reduce::plus); }

long resident_kb() {
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * 4;
}

task<void> insert_for(cache* into, int capacity, int seconds) {
  for (int second = 1; second <= seconds; ++second) {
    const std::int64_t until = now_ns() + 1'000'000'000;
    while (now_ns() < until) co_await into->insert(capacity);
    const int now_living = co_await living_everywhere();
    std::printf("%d s: %d inserted, %d living, %ld KB\n", second, into->inserted, now_living, resident_kb());
    std::fflush(stdout);
  }
}

task<int> program(arguments args) {
  constexpr int capacity = 100, few = 30'000;
  cache entries;
  if (args.size() > 1) {
    co_await insert_for(&entries, capacity, std::atoi(args[1].c_str()));
  } else {
    while (entries.inserted < few) co_await entries.insert(capacity);
  }
  const int most = co_await everywhere().now<most_living_here>(reduce::plus);
  co_await collect();
  const int left = co_await living_everywhere();
  entries.newest.reset();
  entries.oldest.reset();
  co_await collect();
  const int at_last = co_await living_everywhere();
  const bool right = left == capacity && at_last == 0 && most <= 20'000;
  std::printf("%d entries were made: %d are left, and %d when the cache is forgotten\n", entries.inserted, left,
              at_last);
  std::puts(right ? "right" : "WRONG");
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
