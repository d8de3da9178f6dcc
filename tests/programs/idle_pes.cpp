// Promise: a PE that has nothing to do stays known to those that have, whatever work they had before: objects that
// cannot be moved and were created there, places that were asked for and not used, objects that a task sends to one
// after the other. Method: one PE uses up what it knows, then opens 200 pieces of work of 1 ms. Each is run once; where
// time is the job's own, in a simulated one (--judged), no PE runs many more of them than its share. Where a task sends
// to one after the other, the PEs that tell its PE share with it, and wait now and then until it yields.
#include <algorithm>
#include <bit>
#include <ranges>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/programs/expect.hpp"
#include "tsubu/base/clock.hpp"

using namespace tsubu;

namespace {

constexpr int pieces = 200;

pe_local<bool> judged;  // --judged: on PEs that nothing else keeps from running
pe_local<int> runs_here;
void run_one() {
  work(2.5e6);  // clocks, of 0.4 ns on the machine `cluster`
  ++*runs_here;
}
int take_runs() { return std::exchange(*runs_here, 0); }

// Cannot be moved.
struct fixed : object<fixed> {
  void run() { run_one(); }
};

struct movable : object<movable> {
  void run() { run_one(); }
  template <class Archive>
  void serialize(Archive&) {}
};

// A tree, as that of fib and queens.
struct part : object<part> {
  // How many pieces there are.
  task<int> run(int of) {
    retire();
    if (of == 1) {
      run_one();
      co_return 1;
    }
    const auto first = create<part>(anywhere()), second = create<part>(anywhere());
    const auto [some, others] = co_await both(first.now<&part::run>(of / 2), second.now<&part::run>(of - of / 2));
    co_return some + others;
  }
  template <class Archive>
  void serialize(Archive&) {}
};

// Cannot be moved, and is never made.
struct impossible : object<impossible> {
  impossible() { throw std::runtime_error("on purpose"); }
};

task<void> loop() {
  co_await parallel_for(std::views::iota(0, pieces), 1, [](int) { run_one(); });
}

task<void> tree() {
  const ref<part> root = create<part>(here());
  expect_equal(co_await root.now<&part::run>(pieces), pieces, "the pieces of a tree");
}

template <class T>
task<void> one_after_the_other() {
  const auto start = []() -> task<void> {
    for (int i = 0; i < pieces; ++i) {
      const ref<T> one = create<T>(anywhere());
      one.template past<&T::run>();
      one.end();
      co_await yield();
    }
  };
  co_await epoch(start);
}

task<void> all_at_once() {
  std::vector<ref<movable>> objects;
  for (int i = 0; i < pieces; ++i) objects.push_back(create<movable>(anywhere()));
  co_await now_all<&movable::run>(objects);
}

// `among`: so many PEs share the pieces. A PE has run twice its share at most.
task<void> expect_shared(const std::string& after, const std::string& what, task<void> work, int among) {
  const std::int64_t start_ns = now_ns();
  co_await std::move(work);
  const std::int64_t took_us = (now_ns() - start_ns) / 1000;
  int all = 0, largest = 0;
  std::string counts;
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    const int runs = co_await at(pe).now<take_runs>();
    all += runs;
    largest = std::max(largest, runs);
    counts += " " + std::to_string(runs);
  }
  const std::string told = what + ", after " + after + ":" + counts + ", in " + std::to_string(took_us) + " us";
  std::printf("%s\n", told.c_str());
  expect_equal(all, pieces, told);
  if (*judged) expect(largest <= std::min(2 * pieces / among, pieces * 9 / 10), told);
}

task<void> all_kinds(const char* after_name) {
  const std::string after = after_name;
  const int all = pe_count(), tell = std::bit_width(static_cast<unsigned>(all - 1));
  co_await expect_shared(after, "a loop", loop(), all);
  co_await expect_shared(after, "objects at once", all_at_once(), all);
  co_await expect_shared(after, "a tree of objects", tree(), all);
  co_await expect_shared(after, "objects that cannot move, a yield after each", one_after_the_other<fixed>(), 1 + tell);
  co_await expect_shared(after, "objects, a yield after each", one_after_the_other<movable>(), 1 + tell);
}

void go_on_after_exceptions() {
  on_past_exception([](std::exception_ptr) {});
}

task<int> program(arguments args) {
  *judged = args.size() > 1 && args[1] == "--judged";
  co_await everywhere().now<go_on_after_exceptions>();
  co_await all_kinds("nothing");
  for (int i = 0; i < pe_count(); ++i) create<fixed>(anywhere());
  co_await all_kinds("creations");
  for (int i = 0; i < pe_count(); ++i) create<impossible>(anywhere());
  co_await all_kinds("creations that fail");
  for (int i = 0; i < pe_count(); ++i) (void)anywhere().choose();
  co_await all_kinds("places not used");
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
