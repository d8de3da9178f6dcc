// Promise: what a method accepts is taken in order, nested or not; reentrant methods run while their object waits, and
// may end it; an object says how it is doing. Method: as in object_test.cpp.
#include <gtest/gtest.h>

#include "tests/object_job.hpp"
#include "tsubu/object/stream.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/task/sync.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::methods_test {
namespace {

using namespace test;

// ---- accept, when its messages are queued

struct gatherer : object<gatherer> {
  task<void> gather(int n) {
    for (; n > 0; --n) {
      auto one = accept<&gatherer::put>();
      co_await one;
    }
    if (ends) retire();
  }
  void put(int n) { got.push_back(n); }
  std::vector<int> all() { return got; }
  void end_after() { ends = true; }
  std::vector<int> got;
  bool ends = false;
};

// Promise: to a machine with a way of its own for each kind, a streamed argument is a write of a word, and the
// message's end carries none.
TEST(stream, its_arguments_are_writes) {
  using part = message::registered<objects::stream_part<gatherer, &gatherer::put, 0>>;
  using end = message::registered<objects::stream_end<gatherer, &gatherer::put>>;
  EXPECT_EQ(part::entry.kind, message_kind::write);
  EXPECT_EQ(part::entry.words, 1);
  EXPECT_EQ(end::entry.kind, message_kind::past);
  EXPECT_EQ(end::entry.words, 0);
}

// Promise: messages that a method accepts are taken in the order they came, also when one was queued for want of stack.
TEST(accept, keeps_the_order_when_stacks_are_deep) {
  interleaved_job job(1);
  play(job, true, []() -> task<void> {
    ref<gatherer> g = create<gatherer>(here());
    g.past<&gatherer::gather>(3);
    {
      const deep_stack deep;
      g.past<&gatherer::put>(1);
    }
    g.past<&gatherer::put>(2);
    g.past<&gatherer::put>(3);
    const std::vector<int> all = co_await g.now<&gatherer::all>();
    EXPECT_EQ(all, std::vector<int>({1, 2, 3}));
  }());
}
TEST(accept, an_object_that_ends_with_its_accept_is_listed_no_more) {
  interleaved_job job(1);
  play(job, true, []() -> task<void> {
    ref<gatherer> g = create<gatherer>(here());
    g.past<&gatherer::end_after>();
    g.past<&gatherer::gather>(1);
    {
      const deep_stack deep;
      g.past<&gatherer::put>(1);
    }
    g.past<&gatherer::put>(2);
    co_await quiescence();
    bool gone = false;
    try {
      co_await g.now<&gatherer::all>();
    } catch (const object_gone&) {
      gone = true;
    }
    EXPECT_TRUE(gone);
    EXPECT_EQ(objects::this_space().runs.runnable(), 0U);
  }());
}

// A method that was accepted accepts in its turn.
struct nested : object<nested> {
  task<long> outer() {
    trail += 'o';
    auto one = accept<&nested::inner>();
    co_await one;
    trail += 'O';
    auto other = accept<&nested::last>();
    co_await other;
    co_return static_cast<long>(trail.size());
  }
  task<void> inner() {
    trail += 'i';
    auto one = accept<&nested::innermost>();
    co_await one;
    co_await yield();
    trail += 'I';
  }
  task<void> innermost() {
    co_await yield();
    trail += 'm';
  }
  void last() { trail += 'l'; }
  std::string all() { return trail; }
  std::string trail;
};
TEST(accept, nests) {
  for (const bool on_the_stack : {true, false}) {
    interleaved_job job(2);
    play(job, on_the_stack, []() -> task<void> {
      ref<nested> n = create<nested>(at(1));
      auto length = n.future<&nested::outer>();
      n.past<&nested::last>();
      n.past<&nested::innermost>();
      n.past<&nested::inner>();
      EXPECT_EQ(co_await std::move(length), 6);
      EXPECT_EQ(co_await n.now<&nested::all>(), "oimIOl");
    }());
  }
}

// ---- reentrant methods

struct guest_house : object<guest_house> {
  guest_house() = default;
  explicit guest_house(const std::string&) {}
  task<void> hold() {
    auto one = accept<&guest_house::go>();
    co_await one;
  }
  void go() { seen += 'o'; }
  void nothing() {}
  long get() { return 1; }
  task<long> peek() { co_return 5; }  // reentrant
  void stop() { retire(); }           // reentrant
  task<void> linger() {               // reentrant
    co_await gate->read();
    retire();
  }
  void glance() { seen += 'g'; }  // reentrant
  void peep() { seen += 'p'; }    // reentrant
  void rock() {                   // reentrant
    if (seen.empty()) self().past<&guest_house::rock>();
  }
  void stare() { seen += 's'; }
  std::string what_was_seen() { return seen; }
  template <class A>
  void serialize(A& archive) {
    archive(seen);
  }
  std::string seen;
  static inline tsubu::sync<int>* gate = nullptr;
};

}  // namespace
}  // namespace tsubu::methods_test

template <>
inline constexpr bool tsubu::reentrant<&tsubu::methods_test::guest_house::peek> = true;
template <>
inline constexpr bool tsubu::reentrant<&tsubu::methods_test::guest_house::stop> = true;
template <>
inline constexpr bool tsubu::reentrant<&tsubu::methods_test::guest_house::linger> = true;
template <>
inline constexpr bool tsubu::reentrant<&tsubu::methods_test::guest_house::glance> = true;
template <>
inline constexpr bool tsubu::reentrant<&tsubu::methods_test::guest_house::peep> = true;
template <>
inline constexpr bool tsubu::reentrant<&tsubu::methods_test::guest_house::rock> = true;

namespace tsubu::methods_test {
namespace {

// Promise: a reentrant method may end its object while messages wait for it.
TEST(reentrant, ends_an_object_that_has_something_to_run) {
  interleaved_job job(1);
  play(job, true, []() -> task<void> {
    ref<guest_house> g = create<guest_house>(here());
    {
      const deep_stack deep;
      g.past<&guest_house::nothing>();
      g.past<&guest_house::stop>();
    }
    co_await quiescence();
    EXPECT_TRUE(co_await is_gone(g));
    EXPECT_EQ(objects::this_space().runs.runnable(), 0U);
    EXPECT_EQ(objects::this_space().counted().gone, 1U);
  }());
}

// Promise: what is sent behind a message for a reentrant method does not overtake it when the object's method ends
// first, nor when the object moves; and it goes away with the object.
task<void> stare_when(ref<guest_house> g, future<int> told, bool after_moving) {
  co_await std::move(told);
  if (after_moving) g.past<&guest_house::tsubu_move>(1);
  g.past<&guest_house::stare>();
}
TEST(reentrant, is_not_overtaken_when_the_object_is_free_again) {
  for (const bool after_moving : {false, true}) {
    interleaved_job job(2);
    play(job, true, [](bool moves) -> task<void> {
      ref<guest_house> g = create<guest_house>(here());
      promise<int> tell;
      g.past<&guest_house::hold>();
      spawn(stare_when(g, tell.get_future(), moves));
      g.past<&guest_house::go>();  // hold() will go on, and end, ...
      tell.set_value(1);           // ... before this is heard, ...
      g.past<&guest_house::glance>();
      g.past<&guest_house::glance>();  // ... and these run after that
      co_await yield();
      co_await yield();
      EXPECT_EQ(co_await g.now<&guest_house::what_was_seen>(), "oggs");
    }(after_moving));
  }
}
TEST(reentrant, keep_their_order_where_they_cannot_run_at_once) {
  interleaved_job job(1);
  play(job, true, []() -> task<void> {
    ref<guest_house> g = create<guest_house>(here());
    {
      const deep_stack deep;
      g.past<&guest_house::glance>();
      g.past<&guest_house::peep>();
      g.past<&guest_house::stare>();
    }
    EXPECT_EQ(co_await g.now<&guest_house::what_was_seen>(), "gps");
    g.past<&guest_house::hold>();
    g.past<&guest_house::peep>();
    g.past<&guest_house::go>();  // which is accepted
    EXPECT_EQ(co_await g.now<&guest_house::what_was_seen>(), "gpspo");
  }());
}
// Promise: one that asks itself again and again lets other messages have their turns.
TEST(reentrant, starve_nobody) {
  interleaved_job job(1);
  play(job, true, []() -> task<void> {
    ref<guest_house> g = create<guest_house>(here());
    g.past<&guest_house::hold>();
    g.past<&guest_house::rock>();
    g.past<&guest_house::stare>();
    g.past<&guest_house::go>();
    EXPECT_EQ(co_await g.now<&guest_house::what_was_seen>(), "os");
    ref<guest_house> h = create<guest_house>(here());
    {
      const deep_stack deep;
      h.past<&guest_house::rock>();
      h.past<&guest_house::stare>();
    }
    EXPECT_EQ(co_await h.now<&guest_house::what_was_seen>(), "s");
  }());
}
TEST(reentrant, goes_away_with_its_object) {
  interleaved_job job(1);
  play(job, true, []() -> task<void> {
    ref<guest_house> g = create<guest_house>(here());
    g.past<&guest_house::hold>();
    g.past<&guest_house::go>();
    g.past<&guest_house::tsubu_end>();
    auto answer = g.future<&guest_house::peek>();
    g.past<&guest_house::glance>();
    bool gone = false;
    try {
      co_await std::move(answer);
    } catch (const object_gone&) {
      gone = true;
    }
    if (!gone) gone = co_await is_gone(g);
    EXPECT_TRUE(gone);
  }());
}

// Promise: a message for a reentrant method does not wait for another method, though it came while its object was
// dormant, and an express one went ahead of it ...
TEST(reentrant, an_express_message_goes_ahead) {
  interleaved_job job(1);
  play(job, true, []() -> task<void> {
    ref<guest_house> g = create<guest_house>(here());
    future<long> answer;
    {
      const deep_stack deep;
      answer = g.future<&guest_house::peek>();
      g.express<&guest_house::hold>();
    }
    EXPECT_EQ(co_await std::move(answer), 5);
    g.past<&guest_house::go>();
  }());
}
TEST(reentrant, an_express_message_goes_ahead_in_a_crowd) {
  interleaved_job job(2);
  play(job, true, []() -> task<void> {
    std::vector<ref<guest_house>> crowd;
    for (int i = 0; i < 1100; ++i) {
      crowd.push_back(create<guest_house>(at(1)));
      crowd.back().past<&guest_house::hold>();
    }
    ref<guest_house> g = create<guest_house>(at(1));
    co_await quiescence();
    auto answer = g.future<&guest_house::peek>();
    g.express<&guest_house::hold>();
    EXPECT_EQ(co_await std::move(answer), 5);
    g.past<&guest_house::go>();
    for (ref<guest_house> h : crowd) h.past<&guest_house::go>();
  }());
}

// ... or though it came before its object was made.
task<void> hold_and_look(ref<guest_house> g) {
  g.past<&guest_house::hold>();
  EXPECT_EQ(co_await g.now<&guest_house::peek>(), 5);
  const object_status s = co_await g.status();
  EXPECT_EQ(s.pe, 2);
  g.past<&guest_house::go>();
}
TEST(reentrant, before_its_object) {
  std::uint64_t waited = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    interleaved_job job(3, seed);
    play(job, seed % 2 == 0, []() -> task<void> {
      const std::string text(3000, 'x');  // a bulk, which is slower
      ref<guest_house> g = create<guest_house>(at(2), text);
      co_await at(1).now<hold_and_look>(g);
    }());
    waited += (job[2], objects::this_space().counted().queued);
    job[0];
    if (HasFailure()) return;
  }
  EXPECT_GT(waited, 100U) << "nothing came early";
}

// Promise: who asks an object that waits how it is doing is answered, wherever it lives.
TEST(reentrant, status_of_an_object_that_has_moved_and_waits) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    interleaved_job job(3, seed);
    play(job, seed % 2 == 0, []() -> task<void> {
      ref<guest_house> g = create<guest_house>(at(1));
      co_await g.move_to(2);
      g.past<&guest_house::hold>();
      g.past<&guest_house::nothing>();
      object_status s = co_await g.status();
      while (s.mode != object_mode::waiting) s = co_await g.status();
      EXPECT_EQ(s.pe, 2);
      g.past<&guest_house::go>();
      EXPECT_EQ(co_await g.now<&guest_house::get>(), 1);
    }());
  }
}

// Promise: an object that moves or ends while somebody asks how it is doing has moved, or has ended; not both.
int asked = 0;
task<void> ask_status_often(ref<guest_house> g) {
  for (int i = 0; i < 10; ++i) {
    const object_status s = co_await g.status();
    EXPECT_TRUE(s.pe >= 0 && s.pe < pe_count());
    ++asked;
  }
}
TEST(reentrant, status_of_an_object_that_moves) {
  asked = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    interleaved_job job(3, seed);
    play(job, seed % 2 == 0, []() -> task<void> {
      ref<guest_house> g = create<guest_house>(at(1));
      for (pe_id pe = 0; pe < 3; ++pe) {
        for (int k = 0; k < 3; ++k) at(pe).past<ask_status_often>(g);
      }
      for (int i = 0; i < 6; ++i) {
        g.past<&guest_house::hold>();
        g.past<&guest_house::go>();
        EXPECT_EQ(co_await g.move_to(i % 3), i % 3);
      }
      co_await quiescence();
    }());
    if (HasFailure()) return;
  }
  EXPECT_EQ(asked, 90'000);
}

// Promise: an object that ends before it could leave says so to who wants it to move.
TEST(reentrant, ends_an_object_that_is_about_to_move) {
  interleaved_job job(2);
  play(job, true, []() -> task<void> {
    tsubu::sync<int> gate;
    guest_house::gate = &gate;
    ref<guest_house> g = create<guest_house>(here());
    g.past<&guest_house::linger>();
    auto moved = g.future<&guest_house::tsubu_move>(1);
    gate.write(1);
    bool gone = false;
    try {
      co_await std::move(moved);
    } catch (const object_gone&) {
      gone = true;
    }
    EXPECT_TRUE(gone);
  }());
}

// ---- status

TEST(status, of_objects) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    interleaved_job job(2, seed);
    play(job, seed % 2 == 0, []() -> task<void> {
      for (pe_id pe = 0; pe < 2; ++pe) {
        ref<guest_house> g = create<guest_house>(at(pe));
        co_await g.now<&guest_house::get>();
        object_status s = co_await g.status();
        EXPECT_EQ(s.mode, object_mode::dormant);
        EXPECT_EQ(s.queued, 0U);
        EXPECT_EQ(s.pe, pe);
        g.past<&guest_house::hold>();
        for (int i = 0; i < 5; ++i) g.past<&guest_house::nothing>();
        s = co_await g.status();
        // What waits ahead of the method counts, too, until it has begun.
        while (s.mode != object_mode::waiting) s = co_await g.status();
        EXPECT_EQ(s.queued, 5U);
        g.past<&guest_house::go>();
        EXPECT_EQ(co_await g.now<&guest_house::get>(), 1);
        EXPECT_EQ((co_await g.status()).mode, object_mode::dormant);
      }
    }());
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace tsubu::methods_test
