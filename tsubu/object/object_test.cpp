// Promise: objects keep what tsubu/object/object.hpp and ref.hpp say, in whatever order packets come and PEs run, and
// whether messages are executed on their sender's stack or queued. Method: all PEs in one thread, in random
// interleavings. OBJECT_TEST_SEED begins elsewhere.
#include <gtest/gtest.h>

#include <deque>
#include <numeric>

#include "tests/interleaved_job.hpp"
#include "tests/object_actors.hpp"

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
