// Promise: names come back, messages wait for objects that are yet to be made, those of an object that ends are
// answered, and so is whoever is owed a reply: once. Method: all PEs in one thread, in random interleavings, with
// messages executed on their sender's stack and without. OBJECT_TEST_SEED begins elsewhere, OBJECT_TEST_SEEDS says how
// many.
#include <gtest/gtest.h>

#include <deque>
#include <optional>

#include "tests/object_job.hpp"
#include "tsubu/object/monitor.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/messages/remote_error.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::object_test {
namespace {

using namespace test;

// ---- an object that is held

struct held_back : object<held_back> {
  std::string said;
  bool open = false;
  task<void> hold() {
    objects::execution::hold(*this);
    for (int i = 0; i < 5; ++i) co_await yield();
    said += "held ";
    open = true;
    objects::this_space().runs.release(*this);
  }
  void say(std::string what) { said += what; }
  task<void> listen() {
    said += "listen ";
    const auto is_open = [this](const std::string&) { return open; };
    co_await accept<&held_back::say>(is_open);
    said += "heard ";
  }
  std::string all() { return said; }
};

}  // namespace
}  // namespace tsubu::object_test

template <>
inline constexpr bool tsubu::reentrant<&tsubu::object_test::held_back::hold> = true;

namespace tsubu::object_test {
namespace {

TEST(held, messages_wait_and_guards_are_asked_again) {
  const std::uint64_t first_one = first_seed();
  for (std::uint64_t seed = first_one; seed < first_one + 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    interleaved_job job(2, seed);
    play(job, true, []() -> task<void> {
      const ref<held_back> dormant = create<held_back>(at(0));
      co_await dormant.past<&held_back::hold>();
      co_await dormant.past<&held_back::say>("said ");
      const std::string first = co_await dormant.now<&held_back::all>();
      EXPECT_EQ(first, "held said ");
      const ref<held_back> accepting = create<held_back>(at(0));
      co_await accepting.past<&held_back::listen>();
      co_await accepting.past<&held_back::say>("said ");
      co_await accepting.past<&held_back::hold>();
      const std::string second = co_await accepting.now<&held_back::all>();
      EXPECT_EQ(second, "listen held said heard ");
    }());
  }
}

// ---- the queue of an object

struct numbered : objects::mail {
  explicit numbered(int n) : mail{}, number(n) {}
  int number;
};

TEST(message_queue, is_two_queues) {
  std::mt19937_64 random(first_seed());
  const auto roll = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int round = 0; round < 2000; ++round) {
    objects::message_queue queue;
    std::deque<int> express, plain;
    std::vector<std::unique_ptr<numbered>> all;
    std::vector<numbered*> out;
    for (int step = 0; step < 100; ++step) {
      const bool empty = express.empty() && plain.empty();
      ASSERT_EQ(queue.empty(), empty);
      ASSERT_EQ(queue.size(), express.size() + plain.size());
      ASSERT_EQ(!empty && queue.first_is_express(), !express.empty());
      const std::size_t how = roll(10);
      if (how < 5) {
        // Also one that has been in the queue before.
        numbered* m = nullptr;
        if (!out.empty() && roll(2) == 0) {
          m = out.back();
          out.pop_back();
        } else {
          all.push_back(std::make_unique<numbered>(static_cast<int>(all.size())));
          m = all.back().get();
        }
        if (roll(2) == 0) {
          queue.push(*m);
          plain.push_back(m->number);
        } else {
          queue.push_express(*m);
          express.push_back(m->number);
        }
      } else if (empty) {
        ASSERT_EQ(queue.first(), nullptr);
      } else if (how < 8) {
        std::deque<int>& from = express.empty() ? plain : express;
        out.push_back(static_cast<numbered*>(&queue.pop()));
        ASSERT_EQ(out.back()->number, from.front());
        from.pop_front();
      } else {
        const int part = static_cast<int>(roll(3));
        const auto wanted = [part](int n) { return n % 3 == part; };
        objects::mail* const m = queue.take_first(
            [&wanted](const objects::mail& one) { return wanted(static_cast<const numbered&>(one).number); });
        int expected = -1;
        for (std::deque<int>* q : {&express, &plain}) {
          const auto at = std::find_if(q->begin(), q->end(), wanted);
          if (at == q->end()) continue;
          expected = *at;
          q->erase(at);
          break;
        }
        ASSERT_EQ(m == nullptr ? -1 : static_cast<numbered*>(m)->number, expected);
        if (m != nullptr) out.push_back(static_cast<numbered*>(m));
      }
    }
  }
}

// ---- names

struct thing : object<thing> {
  void nothing() {}
  long get() { return 7; }
};

TEST(names, come_back_until_their_generations_are_used_up) {
  interleaved_job job(1);
  play(job, true, []() -> task<void> {
    ref<thing> first;
    constexpr std::uint32_t generations = objects::identity::generations_of_job;
    for (std::uint32_t i = 0; i < 3 * generations; ++i) {
      ref<thing> t = create<thing>(here());
      EXPECT_EQ(t.id().number(), i / generations);
      EXPECT_EQ(t.id().generation(), i % generations);
      if (i == 0) first = t;
      t.end();
      // The old name is of nobody, also when its number is used again.
      if (i % 1000 != 0) continue;
      EXPECT_TRUE(co_await is_gone(first));
    }
  }());
}

TEST(names, come_back_from_other_pes) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    interleaved_job job(3, seed);
    play(job, seed % 2 == 0, []() -> task<void> {
      std::uint32_t most = 0;
      for (int i = 0; i < 500; ++i) {
        ref<thing> t = create<thing>(at(1 + i % 2));
        most = std::max(most, t.id().number());
        t.end();
        EXPECT_TRUE(co_await is_gone(t));
      }
      EXPECT_LE(most, 40U) << "of 250 objects a PE, one at a time, 16 numbers come back together";
    }());
  }
}

// ---- a message that comes before its object

struct late : object<late> {
  explicit late(std::string text) : told(std::move(text)) {}
  void note(pe_id from, int n) {
    int& last = from == 0 ? of_0 : of_1;
    EXPECT_EQ(n, last + 1) << "of PE " << from;
    last = n;
  }
  long get() { return of_0 * 100 + of_1; }
  std::string told;
  int of_0 = 0, of_1 = 0;
};

void note_five(ref<late> r) {
  for (int n = 1; n <= 5; ++n) r.past<&late::note>(this_pe(), n);
}

TEST(unborn, messages_wait_for_their_object) {
  const std::uint64_t first = first_seed();
  std::uint64_t waited = 0;
  for (std::uint64_t seed = first; seed < first + 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    interleaved_job job(3, seed);
    play(job, seed % 2 == 0, []() -> task<void> {
      const std::string text(3000, 'x');  // a bulk, which is slower
      ref<late> r = create<late>(at(2), text);
      at(1).past<note_five>(r);
      co_await yield();
      note_five(r);
      co_await quiescence();
      EXPECT_EQ(co_await r.now<&late::get>(), 505);
    }());
    waited += (job[2], objects::this_space().counted().queued);
    job[0];
    if (HasFailure()) return;
  }
  EXPECT_GT(waited, 100U) << "nothing came early";
}

// ---- endings

std::vector<std::string> caught;
void note_exception(std::exception_ptr e) {
  try {
    std::rethrow_exception(std::move(e));
  } catch (const std::exception& known) {
    caught.push_back(known.what());
  }
}

struct sealed : object<sealed> {
  task<void> hold() {
    auto one = accept<&sealed::go>();
    co_await one;
    retire();
  }
  void go() {}
  void nothing() {}
  long get() { return 1; }
};

TEST(endings, messages_that_wait_for_an_object_that_ends) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    interleaved_job job(2, seed);
    play(job, seed % 2 == 0, []() -> task<void> {
      ref<sealed> s = create<sealed>(at(1));
      s.past<&sealed::hold>();
      auto answer = s.future<&sealed::get>();
      s.past<&sealed::nothing>();
      s.past<&sealed::go>();
      std::string why;
      try {
        co_await std::move(answer);
      } catch (const object_gone& e) {
        why = e.what();
      }
      EXPECT_EQ(why, "tsubu::object_test::sealed 0.0 on PE 1 has ended (tsubu::object_test::sealed::get)");
      co_await quiescence();
    }());
    EXPECT_EQ((job[1], objects::this_space().counted().gone), 1U);
    EXPECT_EQ(objects::this_space().counted().ended, 1U);
    job[0];
  }
}

struct broken : object<broken> {
  explicit broken(int how) {
    // Both wait for this object to be made.
    if (how == 1) self().past<&broken::nothing>();
    if (how == 1) asked = self().future<&broken::get>();
    if (how == 1) watching.emplace(self());
    throw std::runtime_error("no luck");
  }
  void nothing() {}
  long get() { return 1; }
  static inline future<long> asked;
  static inline std::optional<monitor> watching;
};

TEST(endings, a_constructor_that_throws) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    caught.clear();
    interleaved_job job(3, seed);
    play(job, seed % 2 == 0, []() -> task<void> {
      co_await everywhere().now([] { on_past_exception(note_exception); });
      ref<broken> b = create<broken>(at(1), 1);
      std::string why;
      try {
        co_await b.now<&broken::get>();
      } catch (const object_gone& e) {
        why = e.what();
      }
      EXPECT_NE(why.find("broken 0.0 on PE 1 could not be made: "), std::string::npos) << why;
      EXPECT_NE(why.find("no luck"), std::string::npos) << why;
      EXPECT_NE(why.find("broken::get)"), std::string::npos) << why;
      co_await at(1).now([]() -> task<void> {
        auto asked_by_itself = std::move(broken::asked);
        bool gone = false;
        try {
          co_await std::move(asked_by_itself);
        } catch (const object_gone&) {
          gone = true;
        }
        EXPECT_TRUE(gone) << "what it has asked itself";
        const object_end end = co_await *broken::watching;
        EXPECT_EQ(end.why, end_reason::gone) << "who watches it";
        broken::watching.reset();
      });
    }());
    EXPECT_EQ(caught, std::vector<std::string>{"no luck"});
    EXPECT_EQ((job[1], objects::this_space().counted().gone), 1U);
    job[0];
  }
}

// ---- constructors

struct paired : object<paired> {
  explicit paired(long n, ref<thing> t = create<thing>(here())) : own(n), other(t) {}
  task<long> sum() {
    const long got = co_await other.now<&thing::get>();
    co_return own + got;
  }
  long own;
  ref<thing> other;
};
struct unmade : object<unmade> {
  unmade() { throw std::runtime_error("no luck"); }
};
struct unpaired : object<unpaired> {
  explicit unpaired(long n, ref<unmade> = create<unmade>(here())) : own(n) {}
  long get() { return own; }
  long own;
};

// Promise: what is created for a constructor's argument has its own name, and the object keeps its own.
TEST(constructors, whose_arguments_create_objects) {
  caught.clear();
  for (const bool on_the_stack : {true, false}) {
    interleaved_job job(2);
    play(job, on_the_stack, []() -> task<void> {
      co_await everywhere().now([] { on_past_exception(note_exception); });
      for (pe_id pe = 0; pe < 2; ++pe) {
        ref<paired> p = create<paired>(at(pe), 1);
        EXPECT_EQ(co_await p.now<&paired::sum>(), 8);
        ref<unpaired> u = create<unpaired>(at(pe), 4);
        EXPECT_EQ(co_await u.now<&unpaired::get>(), 4);
      }
    }());
  }
  EXPECT_EQ(caught, std::vector<std::string>(4, "no luck"));
}

// ---- the obligation to reply

struct dutiful : object<dutiful> {
  void drop(reply_to<long> to) { const reply_to<long> dropped = std::move(to); }
  void keep(reply_to<long> to) { kept = std::move(to); }
  void twice(reply_to<long> to) {
    to.reply(1);
    to.reply(2);
  }
  void fail_it(reply_to<long> to) { to.fail(std::make_exception_ptr(std::out_of_range("too far"))); }
  void end() { retire(); }
  long get() { return 5; }
  delegated<long> pass_and_throw(ref<dutiful> next) {
    [[maybe_unused]] const delegated<long> passed = next.now<&dutiful::get>();
    throw std::runtime_error("too late");
  }
  delegated<long> pass_and_answer(ref<dutiful> next) {
    [[maybe_unused]] const delegated<long> passed = next.now<&dutiful::get>();
    return 6L;
  }
  delegated<long> down(long n, ref<dutiful> other) {
    if (n == 0) return 7L;
    return other.now<&dutiful::down>(n - 1, self());
  }
  delegated<long> down_to_error(long n, ref<dutiful> other) {
    if (n == 0) throw std::out_of_range("the bottom");
    return other.now<&dutiful::down_to_error>(n - 1, self());
  }
  reply_to<long> kept;
};

template <auto M, class... A>
task<std::string> error_of(ref<dutiful> d, A... arguments) {
  try {
    co_await d.now<M>(arguments...);
  } catch (const remote_error& e) {
    co_return e.type() + ": " + e.message();
  } catch (const object_gone& e) {
    co_return "gone";
  }
  co_return "";
}

TEST(duties, that_are_dropped_handed_on_or_failed) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    caught.clear();
    interleaved_job job(3, seed);
    play(job, seed % 2 == 0, []() -> task<void> {
      co_await everywhere().now([] { on_past_exception(note_exception); });
      for (pe_id pe = 0; pe < 3; ++pe) {
        ref<dutiful> d = create<dutiful>(at(pe));
        ref<dutiful> next = create<dutiful>(at((pe + 1) % 3));
        const std::string dropped = co_await error_of<&dutiful::drop>(d);
        EXPECT_TRUE(dropped.starts_with("tsubu::broken_duty: the duty to reply was dropped (")) << dropped;
        EXPECT_TRUE(dropped.ends_with("dutiful::drop)")) << dropped;
        EXPECT_EQ(co_await error_of<&dutiful::fail_it>(d), "std::out_of_range: too far");
        EXPECT_EQ(co_await d.now<&dutiful::down>(100, next), 7);
        EXPECT_EQ(co_await error_of<&dutiful::down_to_error>(d, 50L, next), "std::out_of_range: the bottom");
        // The answer is the other's business already.
        EXPECT_EQ(co_await d.now<&dutiful::pass_and_throw>(next), 5);
        auto kept = d.future<&dutiful::keep>();
        d.past<&dutiful::end>();
        std::string type;
        try {
          co_await std::move(kept);
        } catch (const remote_error& e) {
          type = e.type();
        }
        EXPECT_EQ(type, "tsubu::broken_duty") << "the object that kept it has ended";
        EXPECT_EQ(co_await error_of<&dutiful::down>(next, 1L, d), "gone");
      }
    }());
    EXPECT_EQ(caught, std::vector<std::string>(3, "too late"));
    if (HasFailure()) return;
  }
}

template <auto M, class... A>
void play_bad_duty() {
  interleaved_job job(2);
  play(job, true, []() -> task<void> {
    ref<dutiful> d = create<dutiful>(at(1));
    ref<dutiful> next = create<dutiful>(at(0));
    if constexpr (sizeof...(A) == 0) {
      co_await d.now<M>();
    } else {
      co_await d.now<M>(next);
    }
  }());
}
TEST(duties_death, a_reply_that_is_given_twice) {
  EXPECT_EXIT((play_bad_duty<&dutiful::twice>()), testing::ExitedWithCode(1), "a reply is given twice");
  EXPECT_EXIT((play_bad_duty<&dutiful::pass_and_answer, ref<dutiful>>()), testing::ExitedWithCode(1),
              "a reply is given twice");
}
TEST(duties_death, a_reply_that_is_never_given) {
  EXPECT_EXIT((play_bad_duty<&dutiful::keep>()), testing::ExitedWithCode(exit_code::deadlock),
              "PE 0: a task waits for .*dutiful::keep.*, at .*object_test.cpp:[0-9]+");
}

}  // namespace
}  // namespace tsubu::object_test
