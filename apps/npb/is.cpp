#include "apps/npb/is.hpp"

#include <algorithm>
#include <numeric>

#include "apps/npb/blocks.hpp"
#include "apps/npb/class_table.hpp"
#include "apps/npb/random.hpp"
#include "tsubu/base/clock.hpp"

namespace npb {
namespace {

constexpr std::array<is_class, 6> classes{{
    {'S', 16, 11, 9, {48427, 17148, 23627, 62548, 4431}, {0, 18, 346, 64917, 65463}},
    {'W', 20, 16, 10, {357773, 934767, 875723, 898999, 404505}, {1249, 11698, 1039987, 1043896, 1048018}},
    {'A', 23, 19, 10, {2112377, 662041, 5336171, 3642833, 4250760}, {104, 17523, 123928, 8288932, 8388264}},
    {'B', 25, 21, 10, {41869, 812306, 5102857, 18232239, 26860214}, {33422937, 10244, 59149, 33135281, 99}},
    {'C',
     27,
     23,
     10,
     {44172927, 72999161, 74326391, 129606274, 21736814},
     {61147, 882988, 266290, 133997595, 133525895}},
    {'D',
     31,
     27,
     10,
     {1317351170, 995930646, 1157283250, 1503301535, 1453734525},
     {1, 36538729, 1978098519, 2145192618, 2147425337}},
}};

// How far the changed keys of an iteration have moved the rank of test key i.
int rank_shift(const is_class& problem, int i, int iteration) {
  switch (problem.name) {
    case 'W':
      return i < 2 ? iteration - 2 : -iteration;
    case 'A':
      return i <= 2 ? iteration - 1 : -(iteration - 1);
    case 'B':
      return i == 1 || i == 2 || i == 4 ? iteration : -iteration;
    case 'D':
      return i < 2 ? iteration : -iteration;
    default:
      return i <= 2 ? iteration : -iteration;
  }
}

}  // namespace

std::span<const is_class> is_classes() { return classes; }

const is_class& is_class_named(std::string_view name) { return class_named(is_classes(), name, "IS"); }

std::vector<is_key> generate_keys(const is_class& problem, std::int64_t first, std::int64_t last) {
  random_stream random = random_stream::at(4 * static_cast<std::uint64_t>(first));
  const double quarter = problem.max_key() / 4.0;
  std::vector<is_key> keys(static_cast<std::size_t>(last - first));
  for (is_key& key : keys) {
    double sum = random.next();
    sum += random.next();
    sum += random.next();
    sum += random.next();
    key = static_cast<is_key>(quarter * sum);
  }
  return keys;
}

void change_keys(const is_class& problem, int iteration, std::int64_t first, std::span<is_key> keys) {
  const auto set = [&](std::int64_t position, is_key key) {
    if (position >= first && position < first + static_cast<std::int64_t>(keys.size()))
      keys[static_cast<std::size_t>(position - first)] = key;
  };
  set(iteration, iteration);
  set(iteration + is_iterations, problem.max_key() - iteration);
}

void restore_keys(const is_class& problem, std::int64_t first, std::span<is_key> keys) {
  constexpr std::int64_t changed = 2 * is_iterations + 1;  // only keys before this position ever change
  const std::int64_t last = std::min(changed, first + static_cast<std::int64_t>(keys.size()));
  if (first >= last) return;
  const std::vector<is_key> original = generate_keys(problem, first, last);
  std::copy(original.begin(), original.end(), keys.begin());
}

void bucket_counts(const is_class& problem, std::int64_t first, std::span<const is_key> keys,
                   std::span<std::int32_t> counts) {
  std::fill(counts.begin(), counts.end(), 0);
  const auto buckets = static_cast<std::size_t>(problem.buckets());
  const int shift = problem.bucket_shift();  // a local: stores to `counts` might alias `problem`
  for (const is_key key : keys) ++counts[static_cast<std::size_t>(key >> shift)];
  for (std::size_t i = 0; i < is_test_keys; ++i) {
    const std::int64_t position = problem.test_index[i] - first;
    if (position >= 0 && position < static_cast<std::int64_t>(keys.size()))
      counts[buckets + i] = keys[static_cast<std::size_t>(position)];
  }
}

void order_by_bucket(const is_class& problem, std::span<const is_key> keys, std::span<const std::int32_t> counts,
                     std::span<is_key> ordered) {
  const auto buckets = static_cast<std::size_t>(problem.buckets());
  std::vector<is_key*> next(buckets);
  is_key* place = ordered.data();
  for (std::size_t b = 0; b < buckets; ++b) {
    next[b] = place;
    place += counts[b];
  }
  const int shift = problem.bucket_shift();
  for (const is_key key : keys) *next[static_cast<std::size_t>(key >> shift)]++ = key;
}

void plan_redistribution(const is_class& problem, std::span<const std::int32_t> own,
                         std::span<const std::int32_t> total, int p, int me, is_plan& plan) {
  const int buckets = problem.buckets();
  plan.first_bucket.assign(static_cast<std::size_t>(p) + 1, buckets);
  plan.first_bucket[0] = 0;
  plan.send_counts.assign(static_cast<std::size_t>(p), 0);
  plan.keys_below = 0;
  plan.keys_here = 0;

  int pe = 0;
  std::int64_t sum = 0;
  for (int b = 0; b < buckets; ++b) {
    plan.send_counts[static_cast<std::size_t>(pe)] += own[static_cast<std::size_t>(b)];
    if (pe < me) plan.keys_below += total[static_cast<std::size_t>(b)];
    if (pe == me) plan.keys_here += total[static_cast<std::size_t>(b)];
    sum += total[static_cast<std::size_t>(b)];
    if (pe + 1 < p && sum >= block_first(problem.keys(), p, pe + 1)) {
      ++pe;
      plan.first_bucket[static_cast<std::size_t>(pe)] = b + 1;
    }
  }
  plan.first_key = plan.first_bucket[static_cast<std::size_t>(me)] << problem.bucket_shift();
  plan.last_key = plan.first_bucket[static_cast<std::size_t>(me) + 1] << problem.bucket_shift();
  for (std::size_t i = 0; i < is_test_keys; ++i) plan.test_keys[i] = total[static_cast<std::size_t>(buckets) + i];
}

void rank_keys(const is_plan& plan, std::span<const is_key> received, std::vector<std::int32_t>& below) {
  below.assign(static_cast<std::size_t>(plan.last_key - plan.first_key) + 1, 0);
  count_keys(plan, received, below);
  rank_counted_keys(below);
}

void count_keys(const is_plan& plan, std::span<const is_key> received, std::span<std::int32_t> below) {
  // One place up, so that the prefix sum leaves at k how many are less than k.
  std::int32_t* const count = below.data() + 1;
  const is_key first = plan.first_key;
  for (const is_key key : received) ++count[key - first];
}

void rank_counted_keys(std::span<std::int32_t> below) { std::partial_sum(below.begin(), below.end(), below.begin()); }

int check_partial(const is_class& problem, const is_plan& plan, int iteration, std::span<const std::int32_t> below) {
  int passed = 0;
  for (int i = 0; i < is_test_keys; ++i) {
    const auto slot = static_cast<std::size_t>(i);
    const is_key key = plan.test_keys[slot];
    if (key < plan.first_key || key >= plan.last_key) continue;
    const std::int64_t rank = plan.keys_below + below[static_cast<std::size_t>(key - plan.first_key)];
    passed += rank == problem.test_rank[slot] + rank_shift(problem, i, iteration) ? 1 : 0;
  }
  return passed;
}

bool full_verify(const is_plan& plan, std::span<const is_key> received, std::span<const std::int32_t> below,
                 is_key left_last) {
  if (static_cast<std::int64_t>(received.size()) != plan.keys_here) return false;
  std::vector<std::int32_t> next(below.begin(), below.end());
  std::vector<is_key> sorted(received.size(), -1);
  for (const is_key key : received) {
    if (key < plan.first_key || key >= plan.last_key) return false;
    const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(key - plan.first_key)]++);
    if (place >= sorted.size() || sorted[place] != -1) return false;
    sorted[place] = key;
  }
  return std::is_sorted(sorted.begin(), sorted.end()) && (sorted.empty() || left_last <= sorted.front());
}

is_key last_key_here(std::span<const is_key> received) {
  return received.empty() ? -1 : *std::max_element(received.begin(), received.end());
}

is_result run_is(const is_class& problem) {
  std::vector<is_key> keys = generate_keys(problem, 0, problem.keys());
  std::vector<is_key> ordered(keys.size());
  std::vector<std::int32_t> counts(static_cast<std::size_t>(problem.buckets() + is_test_keys));
  std::vector<std::int32_t> below;
  is_plan plan;
  is_result result;
  const auto rank = [&](int iteration) {
    change_keys(problem, iteration, 0, keys);
    bucket_counts(problem, 0, keys, counts);
    plan_redistribution(problem, counts, counts, 1, 0, plan);
    order_by_bucket(problem, keys, counts, ordered);
    rank_keys(plan, ordered, below);
    return check_partial(problem, plan, iteration, below);
  };
  rank(1);
  const std::int64_t start_ns = tsubu::now_ns();
  for (int iteration = 1; iteration <= is_iterations; ++iteration) result.partial_passed += rank(iteration);
  result.seconds = static_cast<double>(tsubu::now_ns() - start_ns) * 1e-9;
  result.full_passed = full_verify(plan, ordered, below, -1);
  return result;
}

double is_mops(const is_class& problem, double seconds) {
  return static_cast<double>(is_iterations) * static_cast<double>(problem.keys()) / seconds * 1e-6;
}

}  // namespace npb
