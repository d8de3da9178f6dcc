#include "apps/counter/counters.hpp"

#include <utility>

namespace counter {

using namespace tsubu;

with_create::with_create() { ++tally_here->created; }
with_create::~with_create() { ++tally_here->ended; }

task<std::int64_t> with_create::count(std::int64_t n) {
  retire();
  if (n <= 1) co_return 1;
  const ref<with_create> next = create<with_create>(neighbour());
  co_return co_await next.now<&with_create::count>(n - 1);
}

delegated<std::int64_t> with_create::hand_on(std::int64_t n) {
  retire();
  if (n <= 1) return std::int64_t{1};
  return create<with_create>(neighbour()).now<&with_create::hand_on>(n - 1);
}

after_create::after_create(std::int64_t n, reply_to<void> built) {
  ++tally_here->created;
  if (n <= 1) {
    built.reply();
  } else {
    next_ = create<after_create>(neighbour(), n - 1, std::move(built));
  }
}
after_create::~after_create() { ++tally_here->ended; }

task<std::int64_t> after_create::count(std::int64_t n) {
  if (n <= 1) co_return 1;
  co_return co_await next_.now<&after_create::count>(n - 1);
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
