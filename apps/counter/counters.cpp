#include "apps/counter/counters.hpp"

#include <utility>

namespace counter {

using namespace tsubu;

namespace {

// What the program's own steps take, in EM-4's clocks: what the timetables of the paper's table 1 leave when the
// protocols of machines/em4.toml are taken off.
constexpr double before_creation = 18;  // (1) 9 -> 27: the count is compared and counted down
constexpr double before_request = 19;   // (3) 9 -> 28: the same, and the next object looked up
constexpr double between = 2;           // (1) 57 -> 59: from the creation to the request
constexpr double before_reply = 8;      // (2) 7 -> 15
constexpr double first_steps = 4;  // of an object: the test on its creation arguments, part of creation's 49 clocks
constexpr double end_of_creation = 16;  // (1) 62 -> 84, less what starts it: the object's first wait

}  // namespace

with_create::with_create() {
  ++tally_here->created;
  work(end_of_creation);
}
with_create::~with_create() { ++tally_here->ended; }

task<std::int64_t> with_create::count(std::int64_t n) {
  retire();
  work(before_creation);
  if (n <= 1) co_return 1;
  const ref<with_create> next = create<with_create>(neighbour());
  work(between);
  const std::int64_t answer = co_await next.now<&with_create::count>(n - 1);
  work(before_reply);
  co_return answer;
}

delegated<std::int64_t> with_create::hand_on(std::int64_t n) {
  retire();
  if (n <= 1) return std::int64_t{1};
  return create<with_create>(neighbour()).now<&with_create::hand_on>(n - 1);
}

after_create::after_create(std::int64_t n, reply_to<void> built) {
  ++tally_here->created;
  work(first_steps);
  if (n <= 1) {
    built.reply();
  } else {
    next_ = create<after_create>(neighbour(), n - 1, std::move(built));
  }
  work(end_of_creation);
}
after_create::~after_create() { ++tally_here->ended; }

task<std::int64_t> after_create::count(std::int64_t n) {
  work(before_request);
  if (n <= 1) co_return 1;
  const std::int64_t answer = co_await next_.now<&after_create::count>(n - 1);
  work(before_reply);
  co_return answer;
}

delegated<std::int64_t> after_create::hand_on(std::int64_t n) {
  if (n <= 1) return std::int64_t{1};
  return next_.now<&after_create::hand_on>(n - 1);
}

void after_create::end() {
  if (next_) next_.past<&after_create::end>();
  retire();
}

void builder::build(reply_to<void> built, std::int64_t n) {
  first_ = create<after_create>(neighbour(), n, std::move(built));
}

ref<after_create> builder::take() {
  retire();
  return first_;
}

}  // namespace counter
