// How a job ends that uses objects wrongly: object_endings HOW. Each is a test of its own, with its exit code and what
// it prints.
#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

// Two of them take each other's: each waits for one that is taken.
struct fork : object<fork> {
  task<void> take(ref<fork> other) {
    co_await yield();
    co_await other.now<&fork::take>(self());
  }
};

// Each asks the next, in a ring.
struct link : object<link> {
  void join(ref<link> n) { next = n; }
  task<long> ask() {
    auto begin = accept<&link::go>();
    co_await begin;
    co_return co_await next.now<&link::get>();
  }
  void go() {}
  long get() { return 1; }
  ref<link> next;
};

struct counter : object<counter> {
  counter() = default;
  explicit counter(long from) : n(from) {
    if (from < 0) throw std::out_of_range("it counts from 0");
  }
  void add(long k) { n += k; }
  long get() { return n; }
  void keep(reply_to<long> to) { kept = std::move(to); }
  void twice(reply_to<long> to) {
    to.reply(n);
    to.reply(n);
  }
  void throws() { throw std::out_of_range("no more"); }
  task<void> throws_later() {
    co_await yield();
    throw std::out_of_range("no more, later");
  }
  task<void> hold() {
    auto one = accept<&counter::go>();
    co_await one;
  }
  void go() {}
  template <class A>
  void serialize(A& a) {
    a(n);
  }
  long n = 0;
  reply_to<long> kept;
};

// Not to be caught: nobody asks.
task<void> flood(ref<counter> c, long messages) {
  for (long i = 0; i < messages; ++i) co_await c.past<&counter::add>(1);
}

task<int> program(arguments args) {
  const std::string& how = args[1];
  const pe_id last = pe_count() - 1;
  if (how == "gone_now") {
    ref<counter> c = create<counter>(at(last));
    c.end();
    co_await c.now<&counter::get>();
  }
  if (how == "gone_past") {
    ref<counter> c = create<counter>(at(last));
    c.end();
    for (int i = 0; i < 3; ++i) c.past<&counter::add>(1);
    co_return 0;
  }
  if (how == "twice") co_await create<counter>(at(last)).now<&counter::twice>();
  if (how == "never") {
    ref<counter> c = create<counter>(at(last));
    co_await c.now<&counter::keep>();
  }
  if (how == "never_any") {
    std::vector<future<long>> answers;
    for (int i = 0; i < 2; ++i) answers.push_back(create<counter>(at(last)).future<&counter::keep>());
    co_await when_any(std::move(answers));
  }
  if (how == "forks") {
    ref<fork> left = create<fork>(at(last)), right = create<fork>(at(last));
    co_await left.now<&fork::take>(right);
  }
  if (how == "ring") {
    std::vector<ref<link>> links;
    for (int i = 0; i < 3; ++i) links.push_back(create<link>(at(i % pe_count())));
    for (std::size_t i = 0; i < 3; ++i) links[i].past<&link::join>(links[(i + 1) % 3]);
    std::vector<future<long>> answers;
    for (ref<link> l : links) answers.push_back(l.future<&link::ask>());
    for (ref<link> l : links) {
      while ((co_await l.status()).mode != object_mode::waiting) co_await yield();
    }
    for (ref<link> l : links) l.past<&link::go>();
    for (auto& a : answers) co_await std::move(a);
  }
  if (how == "move_nowhere") co_await create<counter>(at(last)).move_to(pe_count());
  if (how == "create_nowhere") (void)create<counter>(at(pe_count()));
  if (how == "anywhere_nowhere") (void)create<counter>(anywhere([] { return pe_id{-7}; }));
  if (how == "null") ref<counter>().past<&counter::add>(1);
  if (how == "null_now") co_await ref<counter>().now<&counter::get>();
  if (how == "constructor") {
    (void)create<counter>(at(last), -1);
    co_await sleep_for(std::chrono::seconds(10));  // the job ends before
  }
  if (how == "constructor_in_array") {
    (void)create_array<counter>(4, by_block(), -1);
    co_await sleep_for(std::chrono::seconds(10));
  }
  if (how == "gone_move") {
    const ref<counter> c = create<counter>(at(last));
    c.end();
    co_await c.move_to(0);
  }
  if (how == "constructor_goes_on") {
    co_await everywhere().now([] { on_past_exception([](std::exception_ptr) {}); });
    ref<counter> c = create<counter>(at(last), -1);
    co_await c.now<&counter::get>();
  }
  if (how == "throws") create<counter>(at(last)).past<&counter::throws>();
  if (how == "throws_later") create<counter>(at(last)).past<&counter::throws_later>();
  if (how == "flood") {
    ref<counter> c = create<counter>(at(last));
    c.past<&counter::hold>();
    everywhere().past<flood>(c, 10'000'000L);
  }
  if (how == "made_by_itself") counter c;
  co_await sleep_for(std::chrono::seconds(10));
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
