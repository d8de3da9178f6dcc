// Promise: objects keep what tsubu/object/object.hpp and ref.hpp say, in whatever order packets come and PEs run, and
// whether messages are executed on their sender's stack or queued. Method: all PEs in one thread, in random
// interleavings. OBJECT_TEST_SEED begins elsewhere.
#include <gtest/gtest.h>

#include <deque>
#include <numeric>

#include "tests/interleaved_job.hpp"
#include "tests/object_actors.hpp"
#include "tsubu/task/sync.hpp"

namespace tsubu::object_test {
namespace {

using test::interleaved_job;

std::uint64_t first_seed() {
  const char* chosen = std::getenv("OBJECT_TEST_SEED");
  const std::uint64_t first = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
  std::printf("seeds from %llu\n", static_cast<unsigned long long>(first));
  return first;
}

std::uint64_t seeds() {
  const char* n = std::getenv("OBJECT_TEST_SEEDS");
  return n != nullptr ? std::strtoull(n, nullptr, 10) : 3000;
}

// Outside the drivers no stack is deep enough to execute a message on it; while this lives, it is.
class stack_scope {
 public:
  explicit stack_scope(bool on) : before_(this_stack_limit) {
    if (on) this_stack_limit = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - 256 * 1024;
  }
  stack_scope(const stack_scope&) = delete;
  stack_scope& operator=(const stack_scope&) = delete;
  ~stack_scope() { this_stack_limit = before_; }

 private:
  std::uintptr_t before_;
};

task<void> to_its_end(task<void> program) {
  co_await std::move(program);
  remote::current_pe->quiescence.program_ended(0);
}

// Runs `program` on PE 0 until the job ends.
void play(interleaved_job& job, bool on_the_stack, task<void> program) {
  // What a fiber needs of its thread.
  for (pe_id pe = 0; pe < job.wires().size(); ++pe) const task_context_scope known(job[pe].tasks);
  const stack_scope stack(on_the_stack);
  job[0].expect_programs(1);
  spawn(to_its_end(std::move(program)));
  ASSERT_TRUE(job.run()) << "the job does not end";
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

template <class T>
task<bool> is_gone(ref<T> r) {
  try {
    co_await r.template now<&T::get>();
  } catch (const object_gone&) {
    co_return true;
  }
  co_return false;
}

TEST(names, come_back_until_their_generations_are_used_up) {
  interleaved_job job(1);
  play(job, true, []() -> task<void> {
    ref<thing> first;
    for (std::uint32_t i = 0; i < 3 * 4096; ++i) {
      ref<thing> t = create<thing>(here());
      EXPECT_EQ(t.id().number(), i / 4096);
      EXPECT_EQ(t.id().generation(), i % 4096);
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
    waited += (job[2], objects::here().counted().queued);
    job[0];
    if (HasFailure()) return;
  }
  EXPECT_GT(waited, 100U) << "nothing came early";
}

// ---- moves

struct mover : object<mover> {
  mover() = default;
  explicit mover(int of) : last(static_cast<std::size_t>(of)) {}
  void note(pe_id from, int n) {
    EXPECT_EQ(n, last[static_cast<std::size_t>(from)] + 1) << "of PE " << from << ", on PE " << this_pe();
    last[static_cast<std::size_t>(from)] = n;
  }
  long get() { return std::accumulate(last.begin(), last.end(), 0L); }
  template <class A>
  void serialize(A& a) {
    a(last);
  }
  std::vector<int> last;
};

task<void> send_now_and_then(ref<mover> r, int messages, std::uint64_t seed) {
  std::mt19937_64 random(seed + static_cast<std::uint64_t>(this_pe()));
  for (int n = 1; n <= messages; ++n) {
    switch (random() % 4) {
      case 0:
        co_await r.now<&mover::note>(this_pe(), n);
        break;
      case 1:
        (void)r.future<&mover::note>(this_pe(), n);
        break;
      default:
        r.past<&mover::note>(this_pe(), n);
    }
    if (random() % 4 == 0) co_await yield();
  }
}

TEST(moves, keep_the_order_of_random_senders) {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + (TSUBU_ASAN || TSUBU_TSAN ? 1000 : 10'000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto pes = static_cast<pe_id>(2 + seed % 4);
    interleaved_job job(pes, seed);
    play(job, seed % 2 == 0, [](std::uint64_t s) -> task<void> {
      std::mt19937_64 random(s);
      const auto any = [&random] { return static_cast<pe_id>(random() % static_cast<std::uint64_t>(pe_count())); };
      ref<mover> r = create<mover>(at(any()), pe_count());
      for (pe_id pe = 0; pe < pe_count(); ++pe) at(pe).past<send_now_and_then>(r, 8, s);
      for (int i = 0; i < 4; ++i) {
        const pe_id to = any();
        if (random() % 2 == 0) {
          EXPECT_EQ(co_await r.move_to(to), to);
        } else {
          (void)r.future<&mover::tsubu_move>(to);  // nobody waits for it
        }
      }
      co_await quiescence();
      EXPECT_EQ(co_await r.now<&mover::get>(), 8 * pe_count());
      r.end();
      EXPECT_TRUE(co_await is_gone(r));
    }(seed));
    if (HasFailure()) return;
  }
}

// ---- accept, when its messages are queued

// A stack that is too deep for one more method.
class deep_stack {
 public:
  deep_stack() : before_(std::exchange(this_stack_limit, std::numeric_limits<std::uintptr_t>::max())) {}
  deep_stack(const deep_stack&) = delete;
  deep_stack& operator=(const deep_stack&) = delete;
  ~deep_stack() { this_stack_limit = before_; }

 private:
  std::uintptr_t before_;
};

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
    EXPECT_EQ(objects::here().listed(), 0U);
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
  task<void> hold() {
    auto one = accept<&guest_house::go>();
    co_await one;
  }
  void go() {}
  void nothing() {}
  long get() { return 1; }
  void stop() { retire(); }  // reentrant
  task<void> linger() {      // reentrant
    co_await gate->read();
    retire();
  }
  template <class A>
  void serialize(A&) {}
  static inline tsubu::sync<int>* gate = nullptr;
};

}  // namespace
}  // namespace tsubu::object_test

template <>
inline constexpr bool tsubu::reentrant<&tsubu::object_test::guest_house::stop> = true;
template <>
inline constexpr bool tsubu::reentrant<&tsubu::object_test::guest_house::linger> = true;

namespace tsubu::object_test {
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
    EXPECT_EQ(objects::here().listed(), 0U);
    EXPECT_EQ(objects::here().counted().gone, 1U);
  }());
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
    EXPECT_EQ((job[1], objects::here().counted().gone), 1U);
    EXPECT_EQ(objects::here().counted().ended, 1U);
    job[0];
  }
}

struct broken : object<broken> {
  explicit broken(int how) {
    // Both wait for this object to be made.
    if (how == 1) self().past<&broken::nothing>();
    if (how == 1) asked = self().future<&broken::get>();
    throw std::runtime_error("no luck");
  }
  void nothing() {}
  long get() { return 1; }
  static inline future<long> asked;
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
      });
    }());
    EXPECT_EQ(caught, std::vector<std::string>{"no luck"});
    EXPECT_EQ((job[1], objects::here().counted().gone), 1U);
    job[0];
  }
}

// ---- the duty to reply

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
        EXPECT_EQ(co_await error_of<&dutiful::drop>(d), "tsubu::broken_duty: the duty to reply was dropped");
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

// ---- an object that arrives

struct introvert : object<introvert> {
  introvert() : myself(self()) {}
  ref<introvert> name() { return myself; }
  long get() { return 1; }
  template <class A>
  void serialize(A&) {}
  ref<introvert> myself;
};
struct last_words : object<last_words> {
  ~last_words() {
    if (name) name.past<&last_words::hear>();
  }
  void greet() { name = self(); }
  void hear() { ++heard; }
  long get() { return heard; }
  template <class A>
  void serialize(A& a) {
    a(heard);
  }
  ref<last_words> name;
  long heard = 0;
};

TEST(arrivals, know_their_name_in_their_constructor) {
  interleaved_job job(3);
  play(job, true, []() -> task<void> {
    ref<introvert> i = create<introvert>(at(1));
    EXPECT_EQ(co_await i.now<&introvert::name>(), i);
    co_await i.move_to(2);
    EXPECT_EQ(co_await i.now<&introvert::name>(), i);
  }());
}
TEST(arrivals, hear_what_their_destructor_sent) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    interleaved_job job(3, seed);
    play(job, seed % 2 == 0, []() -> task<void> {
      ref<last_words> w = create<last_words>(at(1));
      w.past<&last_words::greet>();
      co_await w.move_to(2);
      co_await quiescence();
      EXPECT_EQ(co_await w.now<&last_words::get>(), 1);
      w.past<&last_words::greet>();
      co_await w.move_to(0);
      co_await quiescence();
      EXPECT_EQ(co_await w.now<&last_words::get>(), 2);
    }());
    if (HasFailure()) return;
  }
}

// ---- what no correct PE sends

class bad_packets_death : public ::testing::Test {
 protected:
  bad_packets_death() : job_(2) {}
  ~bad_packets_death() override { job_[1]; }

  // PE 0 sends, PE 1, where mover 1.0 lives, shall end the job.
  template <class H, class... V>
  void expect_end(const std::string& message, const V&... values) {
    EXPECT_EXIT(
        {
          job_[1];
          home_ = create<mover>(here(), 2);
          deliver();
          job_[0].messages.send<H>(1, values...);
          job_[0].messages.flush(message::flush_reason::idle);
          deliver();
        },
        testing::ExitedWithCode(1), message);
  }
  void deliver() {
    while (job_[1].step()) continue;
  }
  // Of that creator, and a word of such a name.
  static objects::identity named(pe_id creator, std::uint32_t number = 0, std::uint32_t generation = 0) {
    return {1, creator, number, generation};
  }
  template <class T, auto M>
  using routed = objects::routed<T, M, objects::values_of<M>>;
  static constexpr remote::reply_address nobody{no_pe, 0, 0};

  interleaved_job job_;
  ref<mover> home_;
};

TEST_F(bad_packets_death, creator_that_does_not_exist) {
  expect_end<objects::past_method<thing, &thing::nothing, false>>(
      "PE 0 names an object that PE 99 created, but the job's PEs are 0 to 1", named(99).word());
  expect_end<routed<thing, &thing::nothing>>("PE 0 names an object that PE 99 created", named(99), 1U, nobody, false);
}
TEST_F(bad_packets_death, object_of_another_class) {
  expect_end<objects::past_method<thing, &thing::nothing, false>>(
      "a message for .*thing 1.0 on PE 1, but that name is of .*mover 1.0", named(1).word());
  expect_end<routed<thing, &thing::nothing>>("a message of .*thing for .*mover 1.0 on PE 1", named(1), 1U, nobody,
                                             false);
}
TEST_F(bad_packets_death, object_that_is_created_again) {
  using handler = objects::create_object<thing, false>;
  expect_end<handler>("PE 0 creates object 7 here, but has created 0", 7U, 0U);
  expect_end<handler>("PE 0 creates an object of generation 16384 here, but the last one is 4095", 0U, 1U << 14);
}
TEST_F(bad_packets_death, object_that_arrives_with_a_damaged_name) {
  expect_end<objects::arriving_object<mover>>("PE 0 names an object that PE 99 created", named(99), 1U, nobody, false,
                                              std::vector<std::byte>());
  expect_end<objects::arriving_object<mover>>("PE 0 sends .*mover 1.0 on PE 1 here, which is not away", named(1), 1U,
                                              nobody, false, std::vector<std::byte>());
}

// ---- everything at once

TEST(object_storm, random_programs) {
  const std::uint64_t first = first_seed();
  long messages = 0;
  for (std::uint64_t seed = first; seed < first + (TSUBU_ASAN || TSUBU_TSAN ? 300 : seeds()); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto pes = static_cast<pe_id>(1 + seed % 5);
    interleaved_job job(pes, seed, seed % 7 == 0 ? 2 : 1);
    test::actors::settings s;
    s.seed = seed;
    s.messages = 20;
    s.objects = 2;
    s.in_epoch = seed % 3 == 0;
    play(job, seed % 2 == 0, [](test::actors::settings set, long* sum) -> task<void> {
      *sum += co_await test::actors::storm(set);
    }(s, &messages));
    if (HasFailure()) return;
  }
  std::printf("%ld messages\n", messages);
}

}  // namespace
}  // namespace tsubu::object_test
