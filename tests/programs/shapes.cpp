// Promise: objects of classes derived from one, and of an interface, do through refs of these what virtual calls would
// do in one process; wherever they are, and while they move. Lambdas sent to them are methods like others.
#include <memory>
#include <numeric>
#include <random>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::shapes {

// The same shapes as plain classes, in one place; their areas are whole numbers, so sums are exact.
struct plain_shape {
  virtual ~plain_shape() = default;
  virtual double area() const = 0;
  virtual void grow(double by) = 0;
};
struct plain_disc : plain_shape {
  explicit plain_disc(double r) : radius(r) {}
  double area() const override { return 3 * radius * radius; }
  void grow(double by) override { radius += by; }
  double radius;
};
struct plain_box : plain_shape {
  plain_box(double a, double b) : width(a), height(b) {}
  double area() const override { return width * height; }
  void grow(double by) override { width += by; }
  double width, height;
};
struct plain_cube : plain_box {
  explicit plain_cube(double a) : plain_box(a, a) {}
  double area() const override { return 6 * plain_box::area(); }
  void grow(double by) override { width = height = width + by; }
};

// An interface: a class of virtual methods, and no object by itself.
struct labelled {
  virtual std::string label(std::string before) = 0;
  virtual void rename(std::string name) = 0;

 protected:
  ~labelled() = default;
};

struct shape : object<shape> {
  virtual ~shape() = default;
  virtual double area() = 0;
  virtual void grow(double by) = 0;
  // A coroutine that calls a virtual method after a wait.
  task<double> area_later() {
    co_await yield();
    co_return area();
  }
  long grown() { return times; }
  long times = 0;
};

struct disc : shape, labelled {
  disc() = default;
  explicit disc(double r) : radius(r) {}
  double area() override { return 3 * radius * radius; }
  void grow(double by) override {
    ++times;
    radius += by;
  }
  std::string label(std::string before) override { return before + name; }
  void rename(std::string to) override { name = std::move(to); }
  template <class A>
  void serialize(A& a) {
    a(times, radius, name);
  }
  double radius = 0;
  std::string name = "disc";
};

struct box : shape {
  box() = default;
  box(double a, double b) : width(a), height(b) {}
  double area() override { return width * height; }
  void grow(double by) override {
    ++times;
    width += by;
  }
  template <class A>
  void serialize(A& a) {
    a(times, width, height);
  }
  double width = 0, height = 0;
};

struct cube : box, labelled {
  cube() = default;
  explicit cube(double a) : box(a, a) {}
  double area() override { return 6 * box::area(); }
  void grow(double by) override {
    box::grow(by);
    height = width;
  }
  std::string label(std::string before) override { return before + "cube"; }
  void rename(std::string) override {}
  ref<cube> name() { return self<cube>(); }
  template <class A>
  void serialize(A& a) {
    box::serialize(a);
  }
};

// A thousand of three classes, over the PEs.
struct world {
  std::vector<std::unique_ptr<plain_shape>> plain;
  std::vector<ref<shape>> objects;
  std::vector<ref<labelled>> labels;

  double sum() const {
    double all = 0;
    for (const auto& p : plain) all += p->area();
    return all;
  }
};

template <class Place>
void fill(world& w, int count, Place place) {
  for (int i = 0; i < count; ++i) {
    const double a = 1 + i % 7;
    if (i % 3 == 0) {
      w.plain.push_back(std::make_unique<plain_disc>(a));
      const ref<disc> made = create<disc>(place(i), a);
      w.objects.push_back(made);
      w.labels.push_back(made);
    } else if (i % 3 == 1) {
      w.plain.push_back(std::make_unique<plain_box>(a, 2.0));
      w.objects.push_back(create<box>(place(i), a, 2.0));
    } else {
      w.plain.push_back(std::make_unique<plain_cube>(a));
      const ref<cube> made = create<cube>(place(i), a);
      w.objects.push_back(made);
      w.labels.push_back(made);
    }
  }
}

task<double> sum_of(std::vector<ref<shape>> objects) {
  const std::vector<double> areas = co_await now_all<&shape::area>(std::move(objects));
  co_return std::accumulate(areas.begin(), areas.end(), 0.0);
}

task<void> sums(int count) {
  world w;
  fill(w, count, [](int i) { return at(i % pe_count()); });
  expect_equal(co_await sum_of(w.objects), w.sum(), "areas through refs of the base");
  for (std::size_t i = 0; i < w.objects.size(); ++i) {
    w.objects[i].past<&shape::grow>(static_cast<double>(i % 3));
    w.plain[i]->grow(static_cast<double>(i % 3));
  }
  expect_equal(co_await sum_of(w.objects), w.sum(), "after they have grown");
  const std::vector<double> later = co_await now_all<&shape::area_later>(w.objects);
  expect_equal(std::accumulate(later.begin(), later.end(), 0.0), w.sum(), "by a coroutine of the base");
  // Refs of the base travel.
  const auto elsewhere = [](std::vector<ref<shape>> objects) -> task<double> {
    co_return co_await sum_of(std::move(objects));
  };
  expect_equal(co_await at(pe_count() - 1).now(elsewhere, w.objects), w.sum(), "summed on another PE");
  for (const ref<shape>& s : w.objects) s.end();
  co_await quiescence();
}

task<void> interfaces(int count) {
  world w;
  fill(w, count, [](int i) { return at(i % pe_count()); });
  for (const ref<labelled>& l : w.labels) l.past<&labelled::rename>("ring");
  int discs = 0, cubes = 0;
  const std::vector<std::string> texts = co_await now_all<&labelled::label>(w.labels, std::string("a "));
  for (const std::string& text : texts) {
    discs += text == "a ring";
    cubes += text == "a cube";
  }
  expect_equal(discs, (count + 2) / 3, "discs, by the interface");
  expect_equal(cubes, count / 3, "cubes, by the interface");
  for (const std::size_t i : {0U, 1U, 2U}) {
    const ref<cube> as_cube = co_await ref_cast<cube>(w.objects[i]);
    expect_equal(static_cast<bool>(as_cube), i == 2, "only a cube is a cube");
    if (as_cube) expect(co_await as_cube.now<&cube::name>() == as_cube, "which knows its name");
    const ref<box> as_box = co_await ref_cast<box>(w.objects[i]);
    expect_equal(static_cast<bool>(as_box), i != 0, "a cube is a box");
    const ref<labelled> as_labelled = co_await ref_cast<labelled>(w.objects[i]);
    expect_equal(static_cast<bool>(as_labelled), i != 1, "a box has no label");
  }
  for (const ref<labelled>& l : w.labels) l.end();
}

// Messages of one sender keep their order while an object moves, whatever the class of the ref they were sent by.
task<void> moves(int count) {
  world w;
  fill(w, count, [](int i) { return at(i % pe_count()); });
  std::mt19937_64 random(7);
  for (int round = 0; round < 3; ++round) {
    std::vector<future<pe_id>> moved;
    for (std::size_t i = 0; i < w.objects.size(); ++i) {
      w.objects[i].past<&shape::grow>(1.0);
      const auto to = static_cast<pe_id>(random() % static_cast<std::uint64_t>(pe_count()));
      moved.push_back(w.objects[i].future<&shape::tsubu_move>(to));
      w.objects[i].past<&shape::grow>(2.0);
      w.plain[i]->grow(3);
    }
    for (const ref<labelled>& l : w.labels) l.past<&labelled::rename>(std::to_string(round));
    for (auto& m : moved) co_await std::move(m);
    expect_equal(co_await sum_of(w.objects), w.sum(), "areas after a move");
  }
  const std::vector<long> grown = co_await now_all<&shape::grown>(w.objects);
  expect_equal(std::accumulate(grown.begin(), grown.end(), 0L), 6L * count, "each message was executed once");
  expect_equal(co_await w.labels[0].now<&labelled::label>(""), std::string("2"), "the interface of one that has moved");
}

// Wherever the runtime puts them.
task<void> roams(int count) {
  world w;
  fill(w, count, [](int) { return anywhere(); });
  expect_equal(co_await sum_of(w.objects), w.sum(), "areas of objects that are anywhere");
}

task<void> lambdas(int count) {
  world w;
  fill(w, count, [](int i) { return at(i % pe_count()); });
  double sum = 0;
  const double factor = 2;
  for (std::size_t i = 0; i < w.objects.size(); ++i) {
    double by = static_cast<double>(i % 4);
    w.objects[i].past([by](shape& it) { it.grow(by); });
    w.plain[i]->grow(by);
    sum += co_await w.objects[i].now([](shape& it, double f) { return f * it.area(); }, factor);
  }
  expect_equal(sum, factor * w.sum(), "areas by lambdas");
  auto text = w.labels[1].future(
      [](labelled& it, std::string name) -> task<std::string> {
        co_await yield();
        co_return it.label(std::move(name));
      },
      std::string("the "));
  expect_equal(co_await std::move(text), std::string("the cube"), "a lambda that is a coroutine, to an interface");
}

task<int> program(arguments args) {
  const int count = static_cast<int>(option(args, "--shapes", 1000));
  co_await sums(count);
  co_await interfaces(count);
  co_await moves(count / 4);
  co_await roams(count);
  co_await lambdas(count / 4);
  co_return 0;
}

const test::joined_program entry("shapes", run, program);

}  // namespace programs::shapes
