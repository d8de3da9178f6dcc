// Promise: why_alive() gives a path from a root to the object, with classes and PEs. Method: chains over all PEs that a
// task, a container or a waiting method holds.
#include "tsubu/collection/why_alive.hpp"

#include <gtest/gtest.h>

#include "tests/object_job.hpp"
#include "tsubu/collection/collect.hpp"
#include "tsubu/task/future.hpp"

namespace tsubu::collection_test {
namespace {

using namespace test;

future<void>* gate = nullptr;

struct bead : collected_object<bead> {
  bead() = default;
  explicit bead(strong_ref<bead> to) : next(std::move(to)) {}
  task<void> wait_at_gate() { co_await *gate; }
  strong_ref<bead> next;

  template <class A>
  void serialize(A& a) {
    a(next);
  }
};

pe_local<std::vector<strong_ref<bead>>> box;

std::vector<std::string> whats(const std::vector<holder>& path) {
  std::vector<std::string> all;
  for (const holder& h : path) all.push_back(h.what);
  return all;
}

void empty_box() { box->clear(); }
void put(strong_ref<bead> b) { box->push_back(std::move(b)); }

task<void> program(int* right) {
  const pe_id last_pe = pe_count() - 1;
  // 2 -> 1 -> 0, of which the last PE has the first in a container.
  ref<bead> target;
  ref<bead> above;
  {
    const strong_ref<bead> at_0 = create<bead>(at(0), strong_ref<bead>());
    const strong_ref<bead> at_1 = create<bead>(at(last_pe), at_0);
    co_await at(last_pe).now<put>(create<bead>(at(0), at_1));
    target = at_0.weak();
    above = at_1.weak();
    const std::vector<holder> by_task = co_await why_alive(target);
    EXPECT_FALSE(by_task.empty());
    if (!by_task.empty()) {
      EXPECT_EQ(by_task.front().what, "a task, a message, a container or a variable");
      EXPECT_EQ(by_task.front().pe, 0);
    }
  }
  const std::vector<holder> path = co_await why_alive(target);
  EXPECT_EQ(path.size(), 4U);
  if (path.size() == 4) {
    EXPECT_EQ(path[0].what, "a task, a message, a container or a variable");
    EXPECT_EQ(path[0].pe, last_pe);
    EXPECT_NE(path[3].what.find("bead"), std::string::npos);
    EXPECT_EQ(path[2].pe, last_pe);
    EXPECT_EQ(path[3].pe, 0);
    ++*right;
  }
  // Also where it lives elsewhere now.
  (void)co_await above.now<&bead::tsubu_move>(0);
  const std::vector<holder> moved = co_await why_alive(target);
  EXPECT_EQ(whats(moved), whats(path));
  EXPECT_EQ(moved.size() < 2 ? no_pe : moved[moved.size() - 2].pe, 0);

  co_await at(last_pe).now<empty_box>();
  const std::vector<holder> gone = co_await why_alive(target);
  EXPECT_TRUE(gone.empty());
  ++*right;
}

task<void> who_waits(int* right) {
  promise<void> end;
  future<void> at_gate = end.get_future();
  gate = &at_gate;
  ref<bead> waiting;
  ref<bead> held;
  {
    const strong_ref<bead> b = create<bead>(at(0), strong_ref<bead>());
    const strong_ref<bead> a = create<bead>(at(0), b);
    waiting = a.weak();
    held = b.weak();
    a->past<&bead::wait_at_gate>();
    co_await quiescence();
  }
  const std::vector<holder> path = co_await why_alive(held);
  EXPECT_EQ(path.size(), 3U);
  if (path.size() == 3) {
    EXPECT_EQ(path[0].what, "it runs, waits, or messages wait for it");
    ++*right;
  }
  end.set_value();
  co_await quiescence();
  const std::vector<holder> none = co_await why_alive(waiting);
  EXPECT_TRUE(none.empty());
}

TEST(why_alive, gives_a_path_from_a_root) {
  for (pe_id pes = 1; pes <= 3; ++pes) {
    SCOPED_TRACE(std::to_string(pes) + " PEs");
    int right = 0;
    interleaved_job job(pes, 1);
    play(job, false, program(&right));
    EXPECT_EQ(right, 2);
  }
}

TEST(why_alive, names_an_object_that_waits) {
  int right = 0;
  interleaved_job job(1, 1);
  play(job, false, who_waits(&right));
  EXPECT_EQ(right, 1);
}

}  // namespace
}  // namespace tsubu::collection_test
