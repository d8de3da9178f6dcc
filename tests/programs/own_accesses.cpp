// Promise: a PE finds done what it has done to shared data, by whatever access, at the home and elsewhere, while others
// have copies, protocols change and blocks of the array are with other PEs; and an array may end right behind the last
// awaited access. Method: each task alone writes some elements, by all kinds of access, and reads them at once; what
// others write never goes back. Arrays are made, used and ended, each behind a write that all have copies of. What is
// added before the protocol changes comes before what is put behind. --seed N, --steps N.
#include <unordered_map>

#include "tests/programs/expect.hpp"
#include "tests/programs/together.hpp"

using namespace tsubu;

namespace programs::own_accesses {

using value = std::uint64_t;

pe_id on_first(std::size_t, std::size_t) { return 0; }
using cells = shared_array<value, by_map<on_first>>;
constexpr std::size_t in_a_block = 65'536 / sizeof(value), blocks = 8, tasks = 2, elements_of_a_block = 2;

value increase(value& v, value by) { return v += by; }

class user {
 public:
  user(cells all, std::size_t who, std::uint64_t seed)
      : all_(all), who_(who), writers_(tasks * static_cast<std::size_t>(pe_count())), random_(seed) {}

  task<void> step() {
    const std::size_t block = below(random_, blocks), which = below(random_, elements_of_a_block);
    if (below(random_, 2) == 0) {
      co_await write_and_read(block * in_a_block + which * writers_ + who_);
    } else {
      const std::size_t of_others = block * in_a_block + which * writers_ + below(random_, writers_);
      const value now = co_await all_[of_others].read();
      expect(now >= read_[of_others], "what a PE reads does not go back");
      read_[of_others] = now;
    }
    if (below(random_, 40) == 0) {
      const std::size_t i = below(random_, blocks) * in_a_block + below(random_, elements_of_a_block * writers_);
      co_await all_[i].set_protocol(protocol{static_cast<std::uint8_t>(below(random_, protocols))});
    }
  }
  task<void> look_at_all() {
    for (const auto& [i, v] : written_) expect_equal(co_await all_[i].read(), v, "an element, at the end");
  }

 private:
  task<void> write_and_read(std::size_t i) {
    const value next = ++written_[i];
    const std::size_t how = below(random_, 4);
    if (how == 0) {
      co_await all_[i].write(next);
    } else if (how == 1) {
      expect_equal(co_await all_[i].change<increase>(value{1}), next, "what a change gives");
    } else if (how == 2) {
      all_[i].add(1);
    } else {
      all_[i].put(next);
    }
    if (below(random_, 2) == 0) co_return;
    const value* here = all_[i].copy();
    if (here != nullptr) expect_equal(*here, next, "what this PE has written, looked at");
    expect_equal(co_await all_[i].read(), next, "what this PE has written");
  }

  cells all_;
  const std::size_t who_, writers_;
  std::mt19937_64 random_;
  std::unordered_map<std::size_t, value> written_, read_;
};

task<void> use(cells all, std::size_t who, std::uint64_t seed, std::size_t steps) {
  user u(all, who, seed);
  for (std::size_t s = 0; s < steps; ++s) co_await u.step();
  co_await quiescence();
  co_await u.look_at_all();
}

task<void> own_elements(std::uint64_t seed, std::size_t steps, protocol how) {
  const auto all = co_await create_shared_array<value>(blocks * in_a_block, by_map<on_first>(), how);
  std::vector<task<void>> users;
  for (std::size_t t = 0; t < tasks; ++t) {
    const std::size_t who = static_cast<std::size_t>(this_pe()) * tasks + t;
    users.push_back(use(all, who, seed * 1000 + who, steps));
  }
  co_await when_all(std::move(users));
  co_await all.end();
}

task<void> ends_behind_a_write(protocol how, pe_id writer) {
  const auto a = co_await create_shared_array<value>(4 * static_cast<std::size_t>(pe_count()), by_cycle(), how);
  for (int times = 0; times < 4; ++times) {
    for (std::size_t i = 0; i < a.size(); ++i) (void)co_await a[i].read();
  }
  co_await barrier();
  if (this_pe() == writer) {
    for (std::size_t i = 0; i < a.size(); ++i) co_await a[i].write(i);
  }
  co_await a.end();
}

task<void> add_and_put(shared_array<value> a) {
  a[0].add(5);
  co_await yield();  // the protocol changes
  a[0].put(1);
}
task<void> change_protocol(shared_array<value> a) { co_await a.set_protocol(protocol::global); }

task<void> adds_before_the_protocol_changes() {
  const auto a = co_await create_shared_array<value>(10, by_block(), protocol::accumulate);
  std::vector<task<void>> both;
  if (this_pe() == pe_count() - 1) both.push_back(add_and_put(a));
  both.push_back(change_protocol(a));
  co_await when_all(std::move(both));
  co_await quiescence();
  expect_equal(co_await a[0].read(), value{1}, "an element that was added to, and then put");
  co_await a.end();
}

task<int> program(arguments args) {
  std::mt19937_64 random = seeded(args);
  const std::size_t steps = option(args, "--steps", 150);
  for (std::uint8_t p = 0; p < protocols; ++p) {
    co_await own_elements(random(), steps, protocol{p});
    for (pe_id writer = 0; writer < std::min<pe_id>(pe_count(), 3); ++writer) {
      co_await ends_behind_a_write(protocol{p}, writer);
    }
  }
  co_await adds_before_the_protocol_changes();
  co_return 0;
}

const test::joined_program entry("own_accesses", run_spmd, program);

}  // namespace programs::own_accesses
