// Promise: a name comes back from four bytes as it went in; messages whose packets name their objects shortly and in
// full are executed in the order they were sent; with many methods that wait, questions are still all answered.
// Method: random names; all PEs in one thread, in random interleavings.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/object_job.hpp"
#include "tsubu/object/settings.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu::names_test {
namespace {

using namespace test;
using objects::identity;
using objects::short_name;

TEST(short_name, comes_back_as_it_went_in) {
  std::mt19937_64 random(first_seed());
  const auto below = [&random](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  int fitted = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto pes = static_cast<pe_id>(1 + below(identity::most_creator));
    const auto sender = static_cast<pe_id>(below(static_cast<std::uint32_t>(pes)));
    const auto home = static_cast<pe_id>(below(static_cast<std::uint32_t>(pes)));
    const pe_id creators[] = {sender, home, static_cast<pe_id>(below(static_cast<std::uint32_t>(pes)))};
    const pe_id creator = creators[below(3)];
    const std::uint32_t number =
        below(2) == 0 ? below(identity::most_number + 1) : below(1U << short_name::number_bits);
    const identity id(home, creator, number, below(identity::most_generation + 1));
    ASSERT_EQ(short_name::fits(id, sender),
              number < 1U << short_name::number_bits && (creator == sender || creator == home));
    if (!short_name::fits(id, sender)) continue;
    ++fitted;
    ASSERT_EQ(short_name::read(short_name::of(id, sender), home, sender), id);
  }
  EXPECT_GT(fitted, 20'000);
}

struct diary : object<diary> {
  std::vector<int> pages;
  void write(int page) { pages.push_back(page); }
  std::size_t last() { return pages.empty() ? 0 : static_cast<std::size_t>(pages.back()); }
  std::vector<int> read() { return pages; }
};

// Numbers below `end` are taken, by nobody.
void begin_numbers_at(interleaved_job& job, pe_id creator, pe_id home, std::uint32_t end) {
  job[home];
  objects::this_space().names.extend(creator, end);
  job[creator];
  objects::this_space().names.names_everywhere(end);
}

std::vector<int> up_to(int n) {
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Creates, then writes in each diary all pages, and asks now and then.
task<void> write_diaries(std::vector<ref<diary>> diaries, int pages, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int> written(diaries.size());
  for (std::size_t left = diaries.size() * static_cast<std::size_t>(pages); left > 0;) {
    const std::size_t i = random() % diaries.size();
    if (written[i] == pages) continue;
    diaries[i].past<&diary::write>(written[i]++);
    --left;
    if (random() % 16 == 0) {
      const std::size_t last = co_await diaries[i].now<&diary::last>();
      EXPECT_EQ(last, static_cast<std::size_t>(written[i] - 1));
    }
  }
  for (ref<diary> d : diaries) {
    const std::vector<int> read = co_await d.now<&diary::read>();
    EXPECT_EQ(read, up_to(pages));
  }
}

TEST(names_in_packets, short_and_full_ones_keep_their_order) {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (const int bits : {short_name::number_bits, objects::brief_number_bits}) {
      interleaved_job job(3, seed);
      // Half of the objects have numbers that do not fit any more.
      begin_numbers_at(job, 0, 1, (1U << bits) - 8);
      play(job, seed % 2 == 0, [](std::uint64_t s) -> task<void> {
        std::vector<ref<diary>> diaries;
        for (int i = 0; i < 16; ++i) diaries.push_back(create<diary>(at(1)));
        // A third PE has numbered none of them: it names them in full.
        task<void> here = write_diaries(diaries, 40, s);
        co_await std::move(here);
      }(seed));
      if (HasFailure()) return;
    }
  }
}

task<std::size_t> write_as(std::vector<ref<diary>> diaries, std::uint64_t seed) {
  const std::size_t count = diaries.size();
  task<void> writing = write_diaries(std::move(diaries), 40, seed);
  co_await std::move(writing);
  co_return count;
}

TEST(names_in_packets, a_third_pe_names_objects_in_full) {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    interleaved_job job(4, seed);
    play(job, seed % 2 == 0, [](std::uint64_t s) -> task<void> {
      std::vector<ref<diary>> diaries;
      // On PE 2 and on the writer's own PE, by PE 0; and one that the writer's PE has created.
      for (int i = 0; i < 6; ++i) diaries.push_back(create<diary>(at(i % 2 == 0 ? 2 : 3)));
      const ref<diary> own = co_await at(3).now([] { return create<diary>(at(2)); });
      diaries.push_back(own);
      const std::size_t count = co_await at(3).now<&write_as>(diaries, s);
      EXPECT_EQ(count, 7U);
    }(seed));
    if (HasFailure()) return;
  }
}

// A tree whose nodes are on two PEs by turns: many methods wait at a time.
struct node : object<node> {
  task<long> leaves(int depth) {
    retire();
    if (depth == 0) co_return 1;
    const pe_id other = (this_pe() + 1) % pe_count();
    const auto a = create<node>(at(other)), b = create<node>(at(other)), c = create<node>(here());
    const auto [x, y] = co_await both(a.now<&node::leaves>(depth - 1), b.now<&node::leaves>(depth - 1));
    const long z = co_await c.now<&node::leaves>(depth - 1);
    co_return x + y + z;
  }
};

TEST(waiting_methods, many_methods_that_wait_all_get_their_answers) {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    interleaved_job job(2, seed);
    play(job, seed % 2 == 0, []() -> task<void> {
      const ref<node> root = create<node>(here());
      const long leaves = co_await root.now<&node::leaves>(11);
      EXPECT_EQ(leaves, 177147);
    }());
    std::uint64_t put_off = 0;
    for (pe_id pe = 0; pe < 2; ++pe) {
      job[pe];
      EXPECT_EQ(objects::this_space().counted().created, objects::this_space().counted().ended);
      put_off += objects::this_space().counted().put_off;
    }
    EXPECT_GT(put_off, 0U) << "never were many waiting";
  }
}

// Their questions are put off while many methods wait.
struct shop : object<shop> {
  task<void> open() {
    auto one = accept<&shop::close>();
    co_await one;
  }
  void close() {}
  task<int> price() { co_return 5; }
};
void ask_many_shops_at_once() {
  interleaved_job job(2);
  for (pe_id pe = 0; pe < 2; ++pe) {
    job[pe];
    objects::configure({.mailbox_bytes = 1000});
  }
  play(job, true, []() -> task<void> {
    std::vector<ref<shop>> shops;
    for (int i = 0; i < 2200; ++i) shops.push_back(create<shop>(at(1)));
    for (int i = 0; i < 1100; ++i) shops[static_cast<std::size_t>(i)].past<&shop::open>();
    co_await quiescence();
    std::vector<future<int>> prices;
    for (std::size_t i = 1100; i < 2200; ++i) prices.push_back(shops[i].future<&shop::price>());
    for (auto& price : prices) co_await std::move(price);
  }());
}
TEST(waiting_methods_death, what_waits_is_bounded) {
  EXPECT_EXIT(ask_many_shops_at_once(), testing::ExitedWithCode(1),
              "10[0-9]* bytes of messages wait for their objects, of 1000 .*shop::price for .*shop 0.[0-9]* on PE 1");
}

}  // namespace
}  // namespace tsubu::names_test
