// Promise: keys and ranks are NPB's, on any number of PEs. Method: the serial run passes NPB's checks; a run with p
// PEs in turn, exchanging by copying, passes them too, for p that divides nothing.
#include "apps/npb/is.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "apps/npb/blocks.hpp"

namespace {

TEST(is, serial_run_passes_all_checks) {
  for (const char* name : {"S", "W", "A"}) {
    const npb::is_result result = npb::run_is(npb::is_class_named(name));
    EXPECT_EQ(result.partial_passed, 50) << name;
    EXPECT_TRUE(result.full_passed) << name;
    EXPECT_TRUE(result.verified()) << name;
  }
}

TEST(is, keys_do_not_depend_on_the_split) {
  const npb::is_class& problem = npb::is_class_named("S");
  const std::vector<npb::is_key> whole = npb::generate_keys(problem, 0, problem.keys());
  EXPECT_LT(*std::max_element(whole.begin(), whole.end()), problem.max_key());
  EXPECT_GE(*std::min_element(whole.begin(), whole.end()), 0);
  for (const std::int64_t p : {2, 3, 7, 16}) {
    std::vector<npb::is_key> joined;
    for (std::int64_t i = 0; i < p; ++i) {
      const auto part = npb::generate_keys(problem, npb::block_first(problem.keys(), p, i),
                                           npb::block_first(problem.keys(), p, i + 1));
      joined.insert(joined.end(), part.begin(), part.end());
    }
    EXPECT_EQ(joined, whole) << p;
  }
}

TEST(is, changed_keys_can_be_restored) {
  const npb::is_class& problem = npb::is_class_named("S");
  for (const std::int64_t first : {0, 7, 20, 21}) {
    const std::vector<npb::is_key> original = npb::generate_keys(problem, first, first + 50);
    std::vector<npb::is_key> keys = original;
    for (int iteration = 1; iteration <= npb::is_iterations; ++iteration)
      npb::change_keys(problem, iteration, first, keys);
    EXPECT_EQ(keys == original, first == 21);
    npb::restore_keys(problem, first, keys);
    EXPECT_EQ(keys, original);
  }
}

// All PEs of a job, one after the other.
struct pe_state {
  std::int64_t first = 0;
  std::vector<npb::is_key> keys, ordered, received;
  std::vector<std::int32_t> counts, below;
  npb::is_plan plan;
};

int rank_all(const npb::is_class& problem, std::vector<pe_state>& pes, int iteration) {
  const int p = static_cast<int>(pes.size());
  std::vector<std::int32_t> total(static_cast<std::size_t>(problem.buckets() + npb::is_test_keys), 0);
  for (pe_state& pe : pes) {
    npb::change_keys(problem, iteration, pe.first, pe.keys);
    pe.counts.resize(total.size());
    npb::bucket_counts(problem, pe.first, pe.keys, pe.counts);
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += pe.counts[i];
    pe.received.clear();
  }
  for (int i = 0; i < p; ++i) {
    pe_state& pe = pes[static_cast<std::size_t>(i)];
    npb::plan_redistribution(problem, pe.counts, total, p, i, pe.plan);
    pe.ordered.resize(pe.keys.size());
    npb::order_by_bucket(problem, pe.keys, pe.counts, pe.ordered);
    auto next = pe.ordered.begin();
    for (int to = 0; to < p; ++to) {
      auto& received = pes[static_cast<std::size_t>(to)].received;
      const auto end = next + pe.plan.send_counts[static_cast<std::size_t>(to)];
      received.insert(received.end(), next, end);
      next = end;
    }
    EXPECT_EQ(next, pe.ordered.end());
  }
  int passed = 0;
  for (pe_state& pe : pes) {
    EXPECT_EQ(static_cast<std::int64_t>(pe.received.size()), pe.plan.keys_here);
    npb::rank_keys(pe.plan, pe.received, pe.below);
    passed += npb::check_partial(problem, pe.plan, iteration, pe.below);
  }
  return passed;
}

TEST(is, any_number_of_pes_passes_all_checks) {
  const npb::is_class& problem = npb::is_class_named("S");
  for (const int p : {1, 2, 3, 5, 7, 64, 600}) {
    std::vector<pe_state> pes(static_cast<std::size_t>(p));
    for (int i = 0; i < p; ++i) {
      pe_state& pe = pes[static_cast<std::size_t>(i)];
      pe.first = npb::block_first(problem.keys(), p, i);
      pe.keys = npb::generate_keys(problem, pe.first, npb::block_first(problem.keys(), p, i + 1));
    }
    EXPECT_EQ(rank_all(problem, pes, 1), 5) << p;
    int passed = 0;
    for (int iteration = 1; iteration <= npb::is_iterations; ++iteration) passed += rank_all(problem, pes, iteration);
    EXPECT_EQ(passed, 50) << p;
    npb::is_key left = -1;
    for (const pe_state& pe : pes) {
      EXPECT_TRUE(npb::full_verify(pe.plan, pe.received, pe.below, left)) << p;
      left = std::max(left, npb::last_key_here(pe.received));
    }
  }
}

TEST(is, ranks_count_the_lesser_keys) {
  npb::is_plan plan;
  plan.first_key = 10;
  plan.last_key = 14;
  plan.keys_here = 5;
  const std::vector<npb::is_key> received{13, 10, 12, 10, 12};
  std::vector<std::int32_t> below;
  npb::rank_keys(plan, received, below);
  EXPECT_EQ(below, (std::vector<std::int32_t>{0, 2, 2, 4, 5}));
}

TEST(is, full_verification_rejects_what_is_wrong) {
  npb::is_plan plan;
  plan.first_key = 0;
  plan.last_key = 4;
  plan.keys_here = 3;
  const std::vector<npb::is_key> received{2, 1, 3};
  std::vector<std::int32_t> below;
  npb::rank_keys(plan, received, below);
  EXPECT_TRUE(npb::full_verify(plan, received, below, 1));
  EXPECT_FALSE(npb::full_verify(plan, received, below, 2));  // the left neighbour's last is greater than our first
  EXPECT_FALSE(npb::full_verify(plan, std::vector<npb::is_key>{2, 1}, below, -1));     // one is lost
  EXPECT_FALSE(npb::full_verify(plan, std::vector<npb::is_key>{2, 1, 4}, below, -1));  // one is not ours
  EXPECT_FALSE(npb::full_verify(plan, std::vector<npb::is_key>{2, 2, 3}, below, -1));  // ranks of other keys
  std::swap(below[1], below[3]);
  EXPECT_FALSE(npb::full_verify(plan, received, below, -1));
}

TEST(is, class_is_found_by_either_letter_and_the_others_are_listed) {
  EXPECT_EQ(npb::is_class_named("a").name, 'A');
  try {
    npb::is_class_named("X");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()), "unknown IS class 'X': expected one of S, W, A, B, C, D");
  }
}

}  // namespace
