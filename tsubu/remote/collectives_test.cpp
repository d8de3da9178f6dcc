// Promise: an all_reduce combines the values in the same pairs, on every PE and whether or not they meet on one, so
// that the bits of a sum do not depend on how many cores there are; all_gather gives the same either way, and nobody
// leaves a barrier before all have come. Method: jobs of many sizes in one thread, with an operation that writes down
// what it combines.
#include "tsubu/remote/collectives.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "tests/interleaved_job.hpp"
#include "tsubu/remote/at.hpp"
#include "tsubu/remote/quiescence.hpp"

namespace tsubu::collectives_test {
namespace {

// Short, as far as collectives are concerned.
struct text {
  std::array<char, 200> letters{};
  std::string_view view() const { return letters.data(); }
};
text made(const std::string& from) {
  text t;
  EXPECT_LT(from.size(), t.letters.size());
  std::memcpy(t.letters.data(), from.data(), from.size());
  return t;
}
text in_brackets(text a, text b) { return made('(' + std::string(a.view()) + ' ' + std::string(b.view()) + ')'); }

// What the PEs of a job have seen. One thread holds them all.
struct results {
  std::vector<std::string> reduced;
  std::vector<std::vector<long>> gathered;
  std::vector<std::vector<bool>> odd;
  int came = 0;
  std::uint64_t packets = 0;
};
results seen;

task<void> program() {
  const pe_id me = this_pe();
  const text all = co_await all_reduce(made(std::to_string(me)), in_brackets);
  seen.reduced.emplace_back(all.view());
  std::vector<long> values = co_await all_gather(long{me} * me);
  seen.gathered.push_back(std::move(values));
  std::vector<bool> odd = co_await all_gather(me % 2 == 1);
  seen.odd.push_back(std::move(odd));
  const bool any = co_await all_reduce(me == pe_count() - 1, reduce::any);
  EXPECT_TRUE(any);
  ++seen.came;
  co_await barrier();
  EXPECT_EQ(seen.came, pe_count()) << "PE " << me << " leaves a barrier before all have come";
  at(0).past([] { remote::current_pe->quiescence.program_ended(0); });
}

results run(pe_id pes, bool shares_cores) {
  seen = {};
  test::interleaved_job job(pes, static_cast<std::uint64_t>(pes));
  job[0].expect_programs(pes);
  for (pe_id pe = 0; pe < pes; ++pe) {
    if (shares_cores) job.wires()[pe].share_cores();
    job[pe];
    spawn(program());
  }
  EXPECT_TRUE(job.run());
  for (pe_id pe = 0; pe < pes; ++pe) seen.packets += job[pe].messages.sent();
  EXPECT_EQ(seen.reduced.size(), static_cast<std::size_t>(pes));
  return seen;
}

TEST(collectives, are_the_same_on_all_pes_and_either_way) {
  for (const pe_id pes : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 20}) {
    SCOPED_TRACE(std::to_string(pes) + " PEs");
    const results apart = run(pes, false), on_one = run(pes, true);
    std::vector<long> squares;
    std::vector<bool> odd;
    for (long pe = 0; pe < pes; ++pe) {
      squares.push_back(pe * pe);
      odd.push_back(pe % 2 == 1);
    }
    EXPECT_EQ(on_one.packets < apart.packets, pes > 4) << "fewer packets is what it is for";
    for (const results* r : {&apart, &on_one}) {
      for (const std::string& one : r->reduced) EXPECT_EQ(one, apart.reduced.front());
      for (const std::vector<long>& one : r->gathered) EXPECT_EQ(one, squares);
      for (const std::vector<bool>& one : r->odd) EXPECT_EQ(one, odd);
    }
  }
}

TEST(collectives, combine_neighbours_first) {
  EXPECT_EQ(run(4, false).reduced.front(), "((0 1) (2 3))");
  EXPECT_EQ(run(6, true).reduced.front(), "(((0 4) (1 5)) (2 3))");
}

}  // namespace
}  // namespace tsubu::collectives_test
