// Promise: the model orders the methods as the paper does on a machine of words, and as packing suggests on one of
// batches; what is expected to take far longer is not tried; the fastest that was tried is chosen, and explained. Plans
// that choose give right values. Method: loads made up, and small programs over random interleavings.
#include "tsubu/data/plan/choice.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/shared_job.hpp"
#include "tsubu/data/plan/exchange_plan.hpp"
#include "tsubu/data/settings.hpp"

namespace tsubu::data_test {
namespace {

using data::exchange_load;
using data::expected_seconds;
using data::machine_figures;

// A matrix of n columns on that many PEs, of which a PE's part needs a share of all other elements.
exchange_load load(double n, double pes, double share, double times) {
  exchange_load of;
  of.pes = pes;
  of.own = n / pes;
  of.foreign = n - of.own;
  of.received = of.sent = share * of.foreign;
  of.destinations = of.sources = pes - 1;
  of.occurrences = times * of.received;
  of.tasks = 4;
  return of;
}

// EM-X: 20 MHz; a word is a packet each 2 clocks, a read takes 10 clocks of the PE.
constexpr double clock_s = 50e-9;
const machine_figures words{.send = clock_s,
                            .take = 0,
                            .gap = 2 * clock_s,
                            .write_send = 4 * clock_s,
                            .write_take = 12 * clock_s,
                            .latency = 10 * clock_s,
                            .read = 10 * clock_s,
                            .serve = 0,
                            .clock = clock_s};

double on_words(plan_method by, const exchange_load& of) { return expected_seconds(by, of, words, true); }
double in_batches(plan_method by, const exchange_load& of) {
  return expected_seconds(by, of, machine_figures(), false);
}

TEST(cost_model, follows_the_paper_on_a_machine_of_words) {
  const exchange_load few = load(1400, 2, 1, 27), many = load(1400, 64, 0.57, 1.5);
  EXPECT_LT(on_words(plan_method::block, few), on_words(plan_method::update, few)) << "the plain loop is faster";
  EXPECT_LT(on_words(plan_method::update, few), on_words(plan_method::read, few));
  const exchange_load sparse = load(1400, 64, 0.19, 1.2);
  EXPECT_LT(on_words(plan_method::update, sparse), on_words(plan_method::block, sparse));
  EXPECT_LT(on_words(plan_method::read, sparse), on_words(plan_method::block, sparse));
  EXPECT_LT(on_words(plan_method::cached, few), on_words(plan_method::read, few)) << "read again and again";
  EXPECT_EQ(on_words(plan_method::packed, many), on_words(plan_method::update, many)) << "nothing is packed";
}

TEST(cost_model, packs_where_there_are_batches) {
  const exchange_load sparse = load(1e6, 8, 0.05, 3);
  for (const plan_method other : {plan_method::block, plan_method::update, plan_method::read, plan_method::cached})
    EXPECT_LT(in_batches(plan_method::packed, sparse), in_batches(other, sparse)) << name_of(other);
  const exchange_load dense = load(1e6, 2, 1, 50);
  EXPECT_LT(in_batches(plan_method::block, dense), in_batches(plan_method::packed, dense));
}

data::known_figures known_words(const std::string& machine, const std::string&) { return {machine, words}; }

task<void> chooses(pe_id) {
  data::configure({.machine = "a machine of words", .figures = &known_words, .explain = true});
  data::plan_choice choice = co_await data::plan_choice::expect(load(1400, 2, 1, 27));
  const std::vector<plan_method> tried = choice.worth_a_trial();
  EXPECT_GE(tried.size(), 2U);
  EXPECT_EQ(std::ranges::count(tried, plan_method::read), 0) << "expected to take far longer";
  double seconds = 1e-3;
  for (const plan_method method : tried) {
    choice.set_measured(method, seconds);
    seconds /= 2;
  }
  EXPECT_EQ(choice.best(), tried.back());
  const std::string table = choice.table();
  EXPECT_NE(table.find("1.00 ms"), table.npos) << table;
  EXPECT_NE(table.find("-\n"), table.npos) << table;
}
TEST(plan_choice, takes_the_fastest_of_what_was_tried) { run_all(3, 1, chooses); }

// More than fits one method: all needs of all, and few of them.
task<void> plans(pe_id me) {
  data::configure({.machine = "a machine of words", .figures = &known_words});
  for (const std::size_t needs : {200U, 3U}) {
    constexpr std::size_t n = 200;
    std::vector<std::int32_t> needed(needs);
    std::iota(needed.begin(), needed.end(), 0);
    exchange_plan<long> plan = co_await plan_exchange<long>(n, by_block(), needed);
    EXPECT_NE(plan.method(), plan_method::automatic);
    const std::vector<long> methods = co_await all_gather(static_cast<long>(plan.method()));
    EXPECT_EQ(std::ranges::count(methods, methods.front()), std::ssize(methods));
    const std::vector<long> own(plan.own().size(), me);
    const std::span<const long> view = co_await plan.gather(own);
    for (std::size_t k = 0; k < needs; ++k)
      EXPECT_EQ(view[static_cast<std::size_t>(plan.slots()[k])], by_block().home(k, n, pe_count()));
  }
}
TEST(plan_choice, all_pes_choose_the_same) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) run_all(4, seed, plans);
}

}  // namespace
}  // namespace tsubu::data_test
