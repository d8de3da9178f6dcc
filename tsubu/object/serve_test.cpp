// Promise: serve() executes each message whose guard holds, in the order in which they came, asks guards again when one
// has been executed, and returns when its object is to end. Method: as in object_test.cpp, on the stack of the sender
// and queued.
#include <gtest/gtest.h>

#include "tests/object_job.hpp"
#include "tsubu/object/arena.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::serve_test {
namespace {

using namespace test;

int served_to_the_end = 0;

// Holds up to two numbers.
struct shelf : object<shelf> {
  task<void> open() {
    const auto has_room = [this] {
      ++asked;
      return kept.size() < 2;
    };
    const auto has_some = [this] { return !kept.empty(); };
    const auto always = [] { return true; };
    auto all = serve<&shelf::put, &shelf::get, &shelf::get_slowly, &shelf::close, &shelf::times_asked, &shelf::sell>(
        has_room, has_some, has_some, always, always, has_some);
    co_await all;
    ++served_to_the_end;
  }
  void put(int n) { kept.push_back(n); }
  int get() {
    const int first = kept.front();
    kept.erase(kept.begin());
    return first;
  }
  task<int> get_slowly() {
    co_await yield();
    co_return get();
  }
  // Takes no other message until it is paid.
  task<int> sell() {
    auto paid = accept<&shelf::pay>();
    co_await paid;
    co_return get();
  }
  void pay() {}
  void close() { retire(); }
  int times_asked() { return asked; }

  std::vector<int> kept;
  int asked = 0;
};

ref<shelf> opened(pe_id pe) {
  ref<shelf> s = create<shelf>(at(pe));
  s.past<&shelf::open>();
  return s;
}

// A method that waits for ever would be left over.
task<void> to_end(ref<shelf> s) {
  s.end();
  co_await quiescence();
}

void on_both_ways(task<void> (*program)()) {
  for (const bool on_the_stack : {true, false}) {
    interleaved_job job(2);
    play(job, on_the_stack, program());
  }
}

TEST(serve, takes_what_its_guards_allow_in_order) {
  on_both_ways([]() -> task<void> {
    for (pe_id pe = 0; pe < 2; ++pe) {
      const ref<shelf> s = opened(pe);
      auto early = s.future<&shelf::get>();  // before there is something
      for (int i = 1; i <= 5; ++i) s.past<&shelf::put>(i);
      EXPECT_EQ(co_await std::move(early), 1);
      for (int i = 2; i <= 5; ++i) {
        int got = 0;
        if (i % 2 == 0) {
          got = co_await s.now<&shelf::get>();
        } else {
          got = co_await s.now<&shelf::get_slowly>();
        }
        EXPECT_EQ(got, i);
      }
      co_await to_end(s);
    }
  });
}

TEST(serve, lets_a_method_that_it_has_begun_accept) {
  on_both_ways([]() -> task<void> {
    const ref<shelf> s = opened(1);
    s.past<&shelf::put>(7);
    s.past<&shelf::put>(8);
    auto sold = s.future<&shelf::sell>();
    auto next = s.future<&shelf::get>();
    s.past<&shelf::pay>();
    EXPECT_EQ(co_await std::move(sold), 7);
    EXPECT_EQ(co_await std::move(next), 8);
    co_await to_end(s);
  });
}

TEST(serve, asks_a_guard_once_for_a_message_that_it_takes) {
  interleaved_job job(1);
  play(job, true, []() -> task<void> {
    const ref<shelf> s = opened(0);
    s.past<&shelf::put>(1);
    s.past<&shelf::put>(2);
    EXPECT_EQ(co_await s.now<&shelf::times_asked>(), 2);
    co_await to_end(s);
  }());
}

TEST(serve, returns_when_its_object_is_to_end) {
  for (const bool by_itself : {true, false}) {
    served_to_the_end = 0;
    interleaved_job job(2);
    play(job, true, [](bool retires) -> task<void> {
      const ref<shelf> s = opened(1);
      s.past<&shelf::put>(1);
      if (retires) {
        s.past<&shelf::close>();
      } else {
        s.end();
      }
      co_await quiescence();
      bool gone = false;
      try {
        co_await s.now<&shelf::get>();
      } catch (const object_gone&) {
        gone = true;
      }
      EXPECT_TRUE(gone);
    }(by_itself));
    EXPECT_EQ(served_to_the_end, 1);
  }
}

// Asked by somebody outside of the arena, which does not wait for that method, but ends its object.
struct met {
  ref<shelf> made;
  bool is_made = false, is_open = false;
};
task<void> open_when_made(met* at) {
  while (!at->is_made) co_await yield();
  at->made.past<&shelf::open>();
  at->made.past<&shelf::put>(1);
  at->is_open = true;
}
TEST(serve, returns_when_the_arena_of_its_object_ends) {
  served_to_the_end = 0;
  interleaved_job job(1);
  play(job, true, []() -> task<void> {
    met at;
    spawn(open_when_made(&at));
    const auto body = [&at]() -> task<void> {
      at.made = create<shelf>(here());
      at.is_made = true;
      while (!at.is_open) co_await yield();
    };
    co_await arena(body);
    co_await quiescence();
    EXPECT_EQ(served_to_the_end, 1);
  }());
}

}  // namespace
}  // namespace tsubu::serve_test
