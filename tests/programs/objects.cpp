// Concurrent objects do what docs/object.md says: on every transport, wherever they live.
#include <numeric>
#include <string>
#include <vector>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"
#include "tsubu/tsubu.hpp"

using namespace tsubu;

namespace programs::objects {

struct counter : object<counter> {
  counter() = default;
  explicit counter(long start) : n(start) {}
  void add(long k) { n += k; }
  long get() { return n; }
  std::string told(std::string who) { return who + std::to_string(n); }
  void fails() { throw std::out_of_range("no more"); }
  task<long> after_yield(long k) {
    const long before = n;
    co_await yield();
    n = before + k;
    co_return n;
  }
  void end_yourself() { retire(); }
  long end_and_say() {
    retire();
    return n;
  }
  ref<counter> name() { return self(); }
  long n = 0;
};

task<void> counts(pe_id on) {
  ref<counter> c = create<counter>(at(on), 5);
  for (int i = 0; i < 1000; ++i) c.past<&counter::add>(2);
  expect_equal(co_await c.now<&counter::get>(), 2005L, "sends of one PE to one object keep their order");
  expect_equal(co_await c.now<&counter::told>("n = "), std::string("n = 2005"), "values that own memory travel");
  future<long> later = c.future<&counter::get>();
  c.past<&counter::add>(1);
  expect_equal(co_await std::move(later), 2005L, "a future is of the time when it was sent");
  // One at a time, across its waits: no addition is lost.
  std::vector<future<long>> all;
  for (int i = 0; i < 10; ++i) all.push_back(c.future<&counter::after_yield>(10));
  for (auto& f : all) co_await std::move(f);
  expect_equal(co_await c.now<&counter::get>(), 2106L, "a method keeps its object while it waits");
  auto [x, y] = co_await both(c.now<&counter::get>(), c.now<&counter::told>(""));
  expect_equal(x, 2106L, "both: the first");
  expect_equal(y, std::string("2106"), "both: the second");
  const ref<counter> named = co_await c.now<&counter::name>();
  expect(named == c, "an object knows its name");

  std::string type, what;
  try {
    co_await c.now<&counter::fails>();
  } catch (const remote_error& e) {
    type = e.type();
    what = e.message();
    expect_equal(e.pe(), on, "where it was thrown");
  }
  expect_equal(type, std::string("std::out_of_range"), "what a method throws reaches who asked");
  expect_equal(what, std::string("no more"), "with its text");

  expect_equal(co_await c.now<&counter::end_and_say>(), 2106L, "the last answer of an object");
  std::string gone;
  try {
    co_await c.now<&counter::get>();
  } catch (const object_gone& e) {
    gone = e.what();
  }
  expect(gone.find("counter") != std::string::npos && gone.find("has ended (") != std::string::npos &&
             gone.find("counter::get)") != std::string::npos,
         "asking an object that has ended: " + gone);
}

// ---- selective reception

struct buffer : object<buffer> {
  explicit buffer(std::size_t most) : capacity(most) {}
  task<void> put(long v) {
    while (items.size() == capacity) co_await accept<&buffer::get>();
    items.push_back(v);
  }
  task<long> get() {
    while (items.empty()) co_await accept<&buffer::put>();
    const long v = items.front();
    items.erase(items.begin());
    co_return v;
  }
  // Waits for one that is even.
  task<long> get_even() {
    co_await accept<&buffer::put>([](const long& v) { return v % 2 == 0; });
    const long v = items.back();
    items.pop_back();
    co_return v;
  }
  std::size_t capacity;
  std::vector<long> items;
};

task<void> buffers(pe_id on) {
  ref<buffer> b = create<buffer>(at(on), std::size_t{3});
  std::vector<future<void>> puts;
  for (long i = 0; i < 100; ++i) puts.push_back(b.future<&buffer::put>(i));
  for (long i = 0; i < 100; ++i) expect_equal(co_await b.now<&buffer::get>(), i, "a buffer keeps the order");
  for (auto& p : puts) co_await std::move(p);
  future<long> even = b.future<&buffer::get_even>();
  b.past<&buffer::put>(1);
  b.past<&buffer::put>(3);
  b.past<&buffer::put>(4);
  expect_equal(co_await std::move(even), 4L, "a guard looks at the arguments");
  expect_equal(co_await b.now<&buffer::get>(), 1L, "what was not accepted waits in order");
  expect_equal(co_await b.now<&buffer::get>(), 3L, "what was not accepted waits in order");
}

// ---- the duty to reply

struct meeting : object<meeting> {
  explicit meeting(int of) : size(of) {}
  void arrive(reply_to<int> to) {
    waiting.push_back(std::move(to));
    if (static_cast<int>(waiting.size()) < size) return;
    for (auto& w : waiting) w.reply(size);
    waiting.clear();
  }
  void drop(reply_to<int> to) { const reply_to<int> dropped = std::move(to); }
  // Hands it to another, as an argument.
  void hand(reply_to<int> to, ref<meeting> next) { next.past<&meeting::take>(std::move(to), 7); }
  void take(reply_to<int> to, int value) { to.reply(value); }
  int size;
  std::vector<reply_to<int>> waiting;
};

struct chain : object<chain> {
  explicit chain(long length) {
    if (length > 1) next = create<chain>(at((this_pe() + 1) % pe_count()), length - 1);
  }
  delegated<long> count(long n) {
    if (!next) return n;
    return next.now<&chain::count>(n + 1);
  }
  ref<chain> next;
};

task<void> duties(pe_id on) {
  ref<meeting> m = create<meeting>(at(on), 3);
  future<int> a = m.future<&meeting::arrive>();
  future<int> b = m.future<&meeting::arrive>();
  expect_equal(co_await m.now<&meeting::arrive>(), 3, "a reply that is kept");
  expect_equal(co_await std::move(a), 3, "a reply that is kept");
  expect_equal(co_await std::move(b), 3, "a reply that is kept");
  std::string type;
  try {
    co_await m.now<&meeting::drop>();
  } catch (const remote_error& e) {
    type = e.type();
  }
  expect_equal(type, std::string("tsubu::broken_duty"), "a duty that is dropped");
  ref<meeting> other = create<meeting>(at((on + 1) % pe_count()), 1);
  expect_equal(co_await m.now<&meeting::hand>(other), 7, "a duty that is handed on");
  ref<chain> c = create<chain>(at(on), 1000L);
  expect_equal(co_await c.now<&chain::count>(1L), 1000L, "a question that is delegated a thousand times");
}

// ---- express, status, owners

struct slow : object<slow> {
  task<void> hold() { co_await accept<&slow::go>(); }
  void go() {}
  void note(int k) { seen.push_back(k); }
  std::vector<int> all() { return seen; }
  std::vector<int> seen;
};

task<void> order(pe_id on) {
  ref<slow> s = create<slow>(at(on));
  s.past<&slow::hold>();
  for (int i = 0; i < 3; ++i) s.past<&slow::note>(i);
  for (int i = 10; i < 13; ++i) s.express<&slow::note>(i);
  const object_status status = co_await s.status();
  expect(status.mode == object_mode::waiting, "an object that waits says so");
  expect_equal(status.queued, 6U, "and how many messages wait for it");
  expect_equal(status.pe, on, "and where it is");
  s.past<&slow::go>();
  const std::vector<int> seen = co_await s.now<&slow::all>();
  expect(seen == std::vector<int>({10, 11, 12, 0, 1, 2}), "express messages go first, each kind in order");
  expect((co_await s.status()).mode == object_mode::dormant, "an object that has nothing to do");
  ref<counter> c;
  {
    owned_ref<counter> o = create_owned<counter>(at(on), 3L);
    c = *o;
    o->past<&counter::add>(1L);
  }
  bool gone = false;
  try {
    co_await c.now<&counter::get>();
  } catch (const object_gone&) {
    gone = true;
  }
  expect(gone, "an object ends with its owner");
}

// ---- moves

struct traveller : object<traveller> {
  void note(long k) { seen.push_back(k); }
  std::vector<long> all() { return seen; }
  pe_id where() { return this_pe(); }
  void go_on(pe_id to) { move_to(to); }
  template <class A>
  void serialize(A& a) {
    a(seen);
  }
  std::vector<long> seen;
};

task<void> moves(pe_id on) {
  ref<traveller> t = create<traveller>(at(on));
  long sent = 0;
  for (int hop = 0; hop < 3 * pe_count(); ++hop) {
    for (int i = 0; i < 20; ++i) t.past<&traveller::note>(sent++);
    const pe_id to = (on + hop) % pe_count();
    expect_equal(co_await t.move_to(to), to, "a move says where it went");
    for (int i = 0; i < 20; ++i) t.past<&traveller::note>(sent++);
    expect_equal(co_await t.now<&traveller::where>(), to, "an object that has moved answers there");
  }
  for (pe_id to = 0; to < pe_count(); ++to) {
    co_await t.now<&traveller::go_on>(to);
    expect_equal(co_await t.now<&traveller::where>(), to, "an object that has moved itself answers there");
  }
  const std::vector<long> seen = co_await t.now<&traveller::all>();
  std::vector<long> wanted(static_cast<std::size_t>(sent));
  std::iota(wanted.begin(), wanted.end(), 0L);
  expect(seen == wanted, "messages keep their order across moves");
  t.end();
  bool gone = false;
  try {
    co_await t.now<&traveller::where>();
  } catch (const object_gone&) {
    gone = true;
  }
  expect(gone, "an object that has moved ends");
}

// ---- many

struct node : object<node> {
  task<long> sum(int depth) {
    if (depth == 0) {
      retire();
      co_return 1;
    }
    ref<node> left = create<node>(at((this_pe() + 1) % pe_count()));
    ref<node> right = create<node>(anywhere());
    auto [a, b] = co_await both(left.now<&node::sum>(depth - 1), right.now<&node::sum>(depth - 1));
    retire();
    co_return a + b;
  }
};

task<void> trees(pe_id on) {
  ref<node> root = create<node>(at(on));
  expect_equal(co_await root.now<&node::sum>(12), 4096L, "a tree of objects");
}

// ---- arrays

struct cell : object<cell> {
  cell(array_index at, long first) : index(at.value), value(first) {}
  void add(long k) { value += k; }
  long get() { return value; }
  std::size_t place() { return index; }
  std::string text() { return '<' + std::to_string(index) + '>'; }
  std::size_t index;
  long value;
};

pe_id backwards(std::size_t i, std::size_t n) {
  return static_cast<pe_id>((n - 1 - i) % static_cast<std::size_t>(pe_count()));
}

// The replies of nobody: what the operation makes of none, or an error that names it.
template <class Some>
task<void> nobody_asked(Some none) {
  expect_equal(co_await none.template now<&cell::get>(reduce::plus), 0, "the sum of no replies");
  expect_equal(co_await none.template now<&cell::get>(reduce::times), 1, "the product of no replies");
  const std::string text = co_await none.template now<&cell::text>(reduce::plus);
  expect(text.empty(), "the text of no replies");
  std::string said;
  try {
    co_await none.template now<&cell::get>(reduce::max);
  } catch (const std::invalid_argument& e) {
    said = e.what();
  }
  expect(said.starts_with("reduce::max of no values"), "the largest of no replies: " + said);
}

template <class D>
task<void> arrays(long n) {
  const auto a = create_array<cell>(n, D(), 5);
  for (long i = 0; i < n; ++i) a[static_cast<std::size_t>(i)].template past<&cell::add>(i);
  a.template past<&cell::add>(1000);
  auto asked = a.template now<&cell::get>();
  const std::vector<long> values = co_await std::move(asked);
  expect_equal(values.size(), static_cast<std::size_t>(n), "one reply from each element");
  for (long i = 0; i < n; ++i) expect_equal(values[static_cast<std::size_t>(i)], 1005 + i, "an element");
  if (n == 0) co_await nobody_asked(a);
  if (n == 0) co_return;
  co_await nobody_asked(a.section(0, 0));
  co_await nobody_asked(a.section(static_cast<std::size_t>(n), static_cast<std::size_t>(n), 2));
  expect_equal(co_await a.template now<&cell::get>(reduce::plus), 1005 * n + n * (n - 1) / 2, "all replies combined");
  expect_equal(co_await a[static_cast<std::size_t>(n - 1)].template now<&cell::place>(),
               static_cast<std::size_t>(n - 1), "an element knows its index");
  const auto some = a.section(0, static_cast<std::size_t>(n), 3);
  some.template past<&cell::add>(-1000);
  expect_equal(co_await some.template now<&cell::get>(reduce::max), 5 + (n - 1) / 3 * 3, "a section");
  // Text has an order, which is that of the indices whatever the PEs are.
  const std::string joined = co_await some.template now<&cell::text>(reduce::plus);
  std::string wanted;
  for (long i = 0; i < n; i += 3) wanted += '<' + std::to_string(i) + '>';
  expect(joined == wanted, "texts are joined by their indices: " + joined);
  std::vector<ref<cell>> refs{a[0], a[static_cast<std::size_t>(n / 2)]};
  const std::vector<std::size_t> places = co_await now_all<&cell::place>(refs);
  expect_equal(places[1], static_cast<std::size_t>(n / 2), "many are asked");
  a.end();
}

// ---- arguments that leave one by one

struct board : object<board> {
  std::string place(int x, std::string what, std::vector<long> of) {
    return what + std::to_string(x) + std::to_string(of.size());
  }
};

task<void> streams(pe_id on) {
  ref<board> b = create<board>(at(on));
  ref<counter> c = create<counter>(at((on + 1) % pe_count()), 1000L);
  auto m = b.stream<&board::place>();
  m.put<0>(7);
  std::vector<long> many(static_cast<std::size_t>(co_await c.now<&counter::get>()));
  m.put<2>(std::move(many));
  m.put<1>("n");
  expect_equal(co_await m.now(), std::string("n71000"), "a streamed message");
}

task<int> program(arguments) {
  for (const long n : {0L, 1L, 2L, 7L, 100L}) {
    co_await arrays<by_block>(n);
    co_await arrays<by_cycle>(n);
    co_await arrays<by_map<&backwards>>(n);
  }
  for (pe_id on = 0; on < pe_count(); ++on) {
    co_await counts(on);
    co_await buffers(on);
    co_await duties(on);
    co_await order(on);
    co_await moves(on);
    co_await trees(on);
    co_await streams(on);
  }
  co_return 0;
}

const test::joined_program entry("objects", run, program);

}  // namespace programs::objects
