// Promise: a ref of a base class or of an interface takes messages for what it names, of whatever derived class, also
// while that moves; one that names an object of an unrelated class is refused. Lambdas are executed as methods.
// Method: as in object_test.cpp.
#include <gtest/gtest.h>

#include "tests/object_job.hpp"
#include "tsubu/object/array.hpp"
#include "tsubu/object/stream.hpp"
#include "tsubu/remote/messages/remote_error.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::polymorphic_test {
namespace {

using namespace test;

struct shape : object<shape> {
  shape() = default;
  explicit shape(std::string n) : name(std::move(n)) {}
  virtual ~shape() = default;
  virtual double area() = 0;
  virtual task<double> later(double factor) = 0;
  long get() { return asked++; }
  std::string called() { return name; }
  std::string name;
  long asked = 0;
};

struct printable {
  virtual std::string text(std::string before) = 0;
  virtual void mark(int n) = 0;
  virtual pe_id place() { return this_pe(); }

 protected:
  ~printable() = default;
};
struct titled : printable {
  virtual std::string title() = 0;
};

int destroyed = 0;

struct square : shape, titled {
  square() = default;
  explicit square(double s) : shape("square"), side(s) {}
  ~square() override { ++destroyed; }
  double area() override { return side * side; }
  task<double> later(double factor) override {
    co_await yield();
    co_return factor* area();
  }
  std::string text(std::string before) override { return before + name + std::to_string(marks.size()); }
  void mark(int n) override { marks.push_back(n); }
  std::string title() override { return "a square"; }
  std::vector<int> all() { return marks; }
  ref<square> me() { return self<square>(); }
  task<int> wait_for_mark() {
    auto one = accept<&printable::mark>();
    co_await one;
    co_return marks.back();
  }
  template <class A>
  void serialize(A& a) {
    a(name, asked, side, marks);
  }
  double side = 0;
  std::vector<int> marks;
};
struct big_square : square {
  using square::square;
  double area() override { return 100 * square::area(); }
};
struct dot final : shape {
  double area() override { return 0; }
  task<double> later(double) override { co_return -1; }
  int only() { return 5; }
};

TEST(polymorphic, a_ref_of_a_base_dispatches) {
  for (const bool on_the_stack : {true, false}) {
    interleaved_job job(2);
    play(job, on_the_stack, []() -> task<void> {
      for (pe_id pe = 0; pe < 2; ++pe) {
        const ref<square> s = create<square>(at(pe), 3.0);
        const ref<shape> base = s;
        EXPECT_EQ(base, s);
        EXPECT_EQ(co_await base.now<&shape::area>(), 9);
        EXPECT_EQ(co_await base.now<&shape::later>(2.0), 18);
        EXPECT_EQ(co_await s.now<&shape::area>(), 9);
        EXPECT_EQ(co_await s.now<&square::area>(), 9);
        EXPECT_EQ(co_await base.now<&shape::called>(), "square");
        base.past<&shape::get>();
        auto asked = base.future<&shape::get>();
        EXPECT_EQ(co_await std::move(asked), 1);
        EXPECT_EQ(co_await s.now<&square::me>(), s);
        EXPECT_EQ((co_await base.status()).pe, pe);
        const ref<shape> small = create<dot>(at(pe));
        auto [x, y] = co_await both(base.now<&shape::area>(), small.now<&shape::area>());
        EXPECT_EQ(x, 9);
        EXPECT_EQ(y, 0);
        std::vector<ref<shape>> many{base, small, create<big_square>(at(pe), 1.0)};
        const std::vector<double> areas = co_await now_all<&shape::area>(many);
        EXPECT_EQ(areas, std::vector<double>({9, 0, 100}));
      }
    }());
  }
}

TEST(polymorphic, a_ref_of_an_interface_reaches_its_part) {
  for (const bool on_the_stack : {true, false}) {
    interleaved_job job(2);
    play(job, on_the_stack, []() -> task<void> {
      for (pe_id pe = 0; pe < 2; ++pe) {
        const ref<big_square> s = create<big_square>(at(pe), 3.0);
        const ref<titled> t = s;
        const ref<printable> p = t;
        for (int i = 0; i < 3; ++i) p.past<&printable::mark>(i);
        EXPECT_EQ(co_await p.now<&printable::text>("the "), "the square3");
        EXPECT_EQ(co_await t.now<&titled::title>(), "a square");
        EXPECT_EQ(co_await t.now<&printable::place>(), pe);
        auto m = p.stream<&printable::mark>();
        m.put<0>(3);
        m.past();
        p.express<&printable::mark>(4);
        EXPECT_EQ((co_await s.now<&square::all>()).size(), 5U);
        EXPECT_EQ((co_await p.status()).mode, object_mode::dormant);
      }
    }());
  }
}

TEST(polymorphic, accepts_by_the_name_it_was_sent_under) {
  interleaved_job job(2);
  play(job, true, []() -> task<void> {
    const ref<square> s = create<square>(at(1), 3.0);
    auto marked = s.future<&square::wait_for_mark>();
    const ref<shape> base = s;
    auto area = base.future<&shape::area>();
    const ref<printable> p = s;
    p.past<&printable::mark>(7);
    EXPECT_EQ(co_await std::move(marked), 7);
    EXPECT_EQ(co_await std::move(area), 9);
    auto again = s.future<&square::wait_for_mark>();
    s.past<&printable::mark>(8);
    EXPECT_EQ(co_await std::move(again), 8);
  }());
}

TEST(polymorphic, an_object_ends_as_what_it_is) {
  interleaved_job job(2);
  destroyed = 0;
  play(job, true, []() -> task<void> {
    for (pe_id pe = 0; pe < 2; ++pe) {
      const ref<shape> s = create<square>(at(pe), 3.0);
      s.end();
      EXPECT_TRUE(co_await is_gone(s));
      const ref<printable> p = create<square>(at(pe), 3.0);
      p.end();
      owned_ref<shape> owned = create_owned<square>(at(pe), 3.0);
    }
    co_await quiescence();
    EXPECT_EQ(destroyed, 6);
  }());
}

TEST(polymorphic, messages_follow_an_object_that_moves) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    interleaved_job job(3, seed);
    play(job, seed % 2 == 0, []() -> task<void> {
      const ref<square> s = create<square>(at(1), 3.0);
      const ref<shape> base = s;
      const ref<printable> p = s;
      int n = 0;
      for (const pe_id to : {2, 0, 1, 2}) {
        p.past<&printable::mark>(n++);
        auto moved = base.move_to(to);
        s.past<&printable::mark>(n++);
        EXPECT_EQ(co_await std::move(moved), to);
        p.past<&printable::mark>(n++);
        EXPECT_EQ(co_await base.now<&shape::area>(), 9);
        EXPECT_EQ(co_await p.now<&printable::place>(), to);
      }
      const std::vector<int> all = co_await s.now<&square::all>();
      EXPECT_EQ(all.size(), 12U);
      EXPECT_TRUE(std::is_sorted(all.begin(), all.end()) || n == 0);
      p.end();
      co_await quiescence();
      EXPECT_TRUE(co_await is_gone(base));
    }());
    if (HasFailure()) return;
  }
}

// A class tells of all its members by its own serialize(), wherever that is private, and of none by an inherited one.
struct told_in_two : object<told_in_two> {
  long n = 0;
  template <class A>
  void save(A& a) const {
    a(n);
  }
  template <class A>
  void load(A& a) {
    a(n);
  }
  virtual ~told_in_two() = default;
};
struct more_than_told : told_in_two {
  long m = 0;
};
class told_in_private : public object<told_in_private> {
  friend class cereal::access;
  long n = 0;
  template <class A>
  void serialize(A& a) {
    a(n);
  }
};
struct told_without_throwing : object<told_without_throwing> {
  long n = 0;
  template <class A>
  void serialize(A& a) noexcept {
    a(n);
  }
};
static_assert(objects::movable<told_in_two> && !objects::movable<more_than_told>);
static_assert(objects::movable<told_in_private> && objects::movable<told_without_throwing>);

// dot has no serialize(), and that of square says nothing of what is in a big_square.
TEST(polymorphic, what_cannot_move_says_so) {
  static_assert(objects::movable<square> && !objects::movable<big_square> && !objects::movable<dot>);
  interleaved_job job(2);
  play(job, true, []() -> task<void> {
    const ref<shape> s = create<big_square>(at(1), 1.0);
    std::string said;
    try {
      co_await s.move_to(0);
    } catch (const remote_error& e) {
      said = e.message();
    }
    EXPECT_NE(said.find("big_square 0.0 on PE 1 cannot move"), std::string::npos) << said;
    EXPECT_EQ(co_await s.now<&shape::area>(), 100);
  }());
}

TEST(polymorphic, a_ref_is_cast_to_what_its_object_is) {
  interleaved_job job(2);
  play(job, true, []() -> task<void> {
    const ref<shape> s = create<big_square>(at(1), 1.0);
    const ref<shape> d = create<dot>(at(1));
    const ref<square> as_square = co_await ref_cast<square>(s);
    EXPECT_EQ(as_square, s);
    EXPECT_TRUE((co_await as_square.now<&square::all>()).empty());
    const ref<printable> as_printable = co_await ref_cast<printable>(s);
    EXPECT_EQ(co_await as_printable.now<&printable::text>(""), "square0");
    EXPECT_FALSE(co_await ref_cast<dot>(s));
    EXPECT_FALSE(co_await ref_cast<printable>(d));
    const ref<dot> as_dot = co_await ref_cast<dot>(d);
    EXPECT_EQ(co_await as_dot.now<&dot::only>(), 5);
  }());
}

TEST(polymorphic_death, an_object_of_an_unrelated_class) {
  interleaved_job job(1);
  EXPECT_EXIT(play(job, true,
                   []() -> task<void> {
                     const ref<shape> s = create<dot>(here());
                     ref<printable>(s.id()).past<&printable::mark>(1);
                     co_return;
                   }()),
              testing::ExitedWithCode(1), "a message for .*printable 0.0 on PE 0, but that name is of .*dot 0.0");
}

// ---- lambdas

struct counter : object<counter> {
  counter() = default;
  explicit counter(long from) : n(from) {}
  void add(long k) { n += k; }
  long get() { return n; }
  task<void> hold() {
    auto one = accept<&counter::add>();
    co_await one;
  }
  template <class A>
  void serialize(A& a) {
    a(n);
  }
  long n = 0;
};

TEST(lambdas, are_executed_as_methods) {
  for (const bool on_the_stack : {true, false}) {
    interleaved_job job(2);
    play(job, on_the_stack, []() -> task<void> {
      for (pe_id pe = 0; pe < 2; ++pe) {
        const ref<counter> c = create<counter>(at(pe), 5L);
        long k = 3;
        c.past([k](counter& it) { it.n += k; });
        EXPECT_EQ(co_await c.now([](counter& it, long factor) { return factor * it.n; }, 2L), 16);
        auto text = c.future([](counter& it, std::string s) { return s + std::to_string(it.n); }, std::string("n = "));
        EXPECT_EQ(co_await std::move(text), "n = 8");
        // A coroutine; its captures are kept while it waits, and so is the object.
        auto slow = c.future(
            [k](counter& it, long more) -> task<long> {
              co_await yield();
              it.n += k + more;
              co_await yield();
              co_return it.n;
            },
            1L);
        c.past<&counter::add>(100);
        EXPECT_EQ(co_await std::move(slow), 12);
        EXPECT_EQ(co_await c.now<&counter::get>(), 112);
        // It waits its turn.
        c.past<&counter::hold>();
        co_await quiescence();
        auto late = c.future([](counter& it) { return it.n; });
        c.express([](counter& it) { it.n *= 2; });
        c.past<&counter::add>(1);
        EXPECT_EQ(co_await std::move(late), 226);
      }
    }());
  }
}

TEST(lambdas, follow_an_object_that_moves) {
  interleaved_job job(3);
  play(job, true, []() -> task<void> {
    const ref<counter> c = create<counter>(at(1), 5L);
    auto moved = c.move_to(2);
    co_await std::move(moved);
    for (int i = 0; i < 4; ++i) c.past([](counter& it) { it.n *= 2; });
    EXPECT_EQ(co_await c.now([](counter& it) { return std::pair(it.n, this_pe()); }), std::pair(80L, pe_id{2}));
  }());
}

TEST(lambdas, go_to_bases_and_interfaces) {
  interleaved_job job(2);
  play(job, true, []() -> task<void> {
    const ref<square> s = create<square>(at(1), 2.0);
    const ref<shape> base = s;
    const ref<printable> p = s;
    EXPECT_EQ(co_await base.now([](shape& it) { return it.name + std::to_string(static_cast<int>(it.area())); }),
              "square4");
    p.past([](printable& it) { it.mark(1); });
    EXPECT_EQ(co_await p.now([](printable& it) { return it.text("") + std::to_string(it.place()); }), "square11");
  }());
}

TEST(lambdas_death, are_named_in_reports) {
  interleaved_job job(1);
  EXPECT_EXIT(play(job, true,
                   []() -> task<void> {
                     const ref<counter> c = create<counter>(here());
                     c.past([](counter&) { throw std::out_of_range("too far"); });
                     co_return;
                   }()),
              testing::ExitedWithCode(1), "lambda.*threw.*too far");
}

}  // namespace
}  // namespace tsubu::polymorphic_test
