// Promise: wherever an object moves, messages of one sender come in order, each once; it keeps its name; what no
// correct PE sends ends the job. Method: as in object_test.cpp; and generated programs of tests/actors/storm.hpp.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/actors/storm.hpp"
#include "tests/object_job.hpp"

namespace tsubu::moves_test {
namespace {

using namespace test;

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

// ---- an object that moves itself

struct nomad : object<nomad> {
  void note(int n) { notes.push_back(n); }
  void go(pe_id to) { move_to(to); }
  void go_and_stay(pe_id to) {
    move_to(to);
    move_to(this_pe());
  }
  task<void> go_twice(pe_id first, pe_id last) {
    move_to(first);
    co_await yield();
    move_to(last);
  }
  task<void> go_within(pe_id to) {  // by a method that is executed as a call of this one
    (void)co_await accept<&nomad::go>();
    EXPECT_NE(this_pe(), to);
  }
  void go_and_end(pe_id to) {
    move_to(to);
    retire();
  }
  std::pair<pe_id, std::vector<int>> get() { return {this_pe(), notes}; }
  template <class A>
  void serialize(A& a) {
    a(notes);
  }
  std::vector<int> notes;
};
struct emigrant : object<emigrant> {  // goes as soon as it is there
  emigrant() = default;
  explicit emigrant(pe_id to) { move_to(to); }
  pe_id where() { return this_pe(); }
  template <class A>
  void serialize(A&) {}
};
struct settler : nomad {};  // its serialize() is of a nomad

using place_and_notes = std::pair<pe_id, std::vector<int>>;

TEST(nomads, go_before_the_next_message) {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    interleaved_job job(3, seed);
    play(job, true, []() -> task<void> {
      const ref<nomad> r = create<nomad>(at(1));
      std::vector<int> noted;
      for (int i = 0; i < 12; ++i) {
        r.past<&nomad::go>(i % 3);
        r.past<&nomad::note>(i);
        noted.push_back(i);
        const place_and_notes found = co_await r.now<&nomad::get>();
        EXPECT_EQ(found, place_and_notes(i % 3, noted));
      }
    }());
    if (HasFailure()) return;
  }
}

TEST(nomads, go_where_they_said_last) {
  interleaved_job job(3);
  play(job, true, []() -> task<void> {
    const ref<nomad> r = create<nomad>(at(1));
    co_await r.now<&nomad::go_twice>(2, 0);
    EXPECT_EQ((co_await r.now<&nomad::get>()).first, 0);
    co_await r.now<&nomad::go_and_stay>(2);
    EXPECT_EQ((co_await r.now<&nomad::get>()).first, 0);
    co_await r.now<&nomad::go>(0);
    EXPECT_EQ((co_await r.now<&nomad::get>()).first, 0);
  }());
}

TEST(nomads, go_when_the_outermost_method_has_ended) {
  interleaved_job job(3);
  play(job, true, []() -> task<void> {
    const ref<nomad> r = create<nomad>(at(1));
    auto outer = r.future<&nomad::go_within>(2);
    r.past<&nomad::go>(2);
    co_await std::move(outer);
    EXPECT_EQ((co_await r.now<&nomad::get>()).first, 2);
  }());
}

TEST(nomads, go_when_their_constructor_has_ended) {
  interleaved_job job(3);
  play(job, true, []() -> task<void> {
    for (pe_id home = 0; home < 3; ++home) {
      const ref<emigrant> r = create<emigrant>(at(home), 2);
      EXPECT_EQ(co_await r.now<&emigrant::where>(), 2);
    }
  }());
}

TEST(nomads, end_where_they_are) {
  interleaved_job job(3);
  play(job, true, []() -> task<void> {
    const ref<nomad> r = create<nomad>(at(1));
    co_await r.now<&nomad::go_and_end>(2);
    EXPECT_TRUE(co_await is_gone(r));
  }());
}

TEST(nomads, of_a_class_that_cannot_move_are_told) {
  interleaved_job job(3);
  play(job, true, []() -> task<void> {
    const ref<settler> r = create<settler>(at(1));
    try {
      co_await r.now<&settler::go>(2);
      ADD_FAILURE();
    } catch (const std::exception& e) {
      EXPECT_NE(std::string(e.what()).find("cannot move"), std::string::npos) << e.what();
    }
  }());
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

struct thing : object<thing> {
  void nothing() {}
};

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
  // A name by that creator, and a word of such a name.
  static objects::identity named(pe_id creator, std::uint32_t number = 0, std::uint32_t generation = 0) {
    return {1, creator, number, generation};
  }
  template <class T, auto M>
  using routed = objects::routed<T, M, objects::values_of<M>>;
  static constexpr remote::reply_address nobody{no_pe, 0, 0};
  static constexpr std::uint16_t no_bits = 0;

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
  using handler = objects::create_object<thing, false, false>;
  expect_end<handler>("PE 0 creates object 7 here, but has created 0", 7U, 0U);
  expect_end<handler>("PE 0 creates an object of generation 16384 here, but the last one is 4095", 0U, 1U << 14);
}
TEST_F(bad_packets_death, object_that_arrives_with_a_damaged_name) {
  expect_end<objects::arriving_object<mover>>("PE 0 names an object that PE 99 created", named(99), 1U, nobody, no_bits,
                                              std::vector<std::byte>());
  expect_end<objects::arriving_object<mover>>("PE 0 names an object of PE 99, but", objects::identity(99, 0, 0, 0), 1U,
                                              nobody, no_bits, std::vector<std::byte>());
  expect_end<objects::arriving_object<mover>>("PE 0 sends .*mover 1.0 on PE 1 here, which is not away", named(1), 1U,
                                              nobody, no_bits, std::vector<std::byte>());
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
}  // namespace tsubu::moves_test
