// NPB IS: the ranks of many small integer keys, by a bucket sort over the PEs and a counting sort within each.
//
// What is here is local to a PE; a program adds the communication, which per iteration is
//   bucket_counts  -> sum over all PEs (buckets + 5 words)           -> plan_redistribution
//   send_counts    -> each PE its word from every other              -> room for the arriving keys
//   order_by_bucket-> each PE the keys of its buckets                -> rank_keys -> check_partial
// and at the end, untimed, full_verify.
//
// Sources: Bailey et al., The NAS Parallel Benchmarks, 1994, section 2.5 ("IS"); NPB 3.4 for classes and check values.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace npb {

using is_key = std::int32_t;

inline constexpr int is_iterations = 10;
inline constexpr int is_test_keys = 5;

struct is_class {
  char name;
  int keys_log2;     // keys in all
  int max_key_log2;  // keys lie in [0, 2^max_key_log2)
  int buckets_log2;
  std::array<std::int64_t, is_test_keys> test_index;  // global positions of the keys that are checked
  std::array<std::int64_t, is_test_keys> test_rank;   // their ranks, before the adjustment of each iteration

  std::int64_t keys() const { return std::int64_t{1} << keys_log2; }
  is_key max_key() const { return is_key{1} << max_key_log2; }
  int buckets() const { return 1 << buckets_log2; }
  int bucket_shift() const { return max_key_log2 - buckets_log2; }  // bucket of a key: key >> bucket_shift()
};

std::span<const is_class> is_classes();

// The class named by one letter (either case). Throws std::invalid_argument that lists the classes.
const is_class& is_class_named(std::string_view name);

// Keys [first, last) of the class's sequence: each is max_key / 4 times the sum of four random numbers.
// The same keys however the sequence is split (NPB splits it evenly over a power of two of processes).
std::vector<is_key> generate_keys(const is_class& problem, std::int64_t first, std::int64_t last);

// What an iteration (1, 2, ...) changes before it ranks: key[iteration] = iteration and
// key[iteration + 10] = max_key - iteration, global positions; keys holds those from `first` on.
void change_keys(const is_class& problem, int iteration, std::int64_t first, std::span<is_key> keys);

// Undoes the changes of all iterations: without it a second run on the same keys does not verify.
void restore_keys(const is_class& problem, std::int64_t first, std::span<is_key> keys);

// counts: problem.buckets() + 5 words, overwritten. How many keys are in each bucket; then the five test keys, each on
// the PE that holds it, 0 elsewhere. Summed over the PEs these are the `total` below.
void bucket_counts(const is_class& problem, std::int64_t first, std::span<const is_key> keys,
                   std::span<std::int32_t> counts);

// Writes the keys grouped by bucket, buckets ascending, to `ordered` (as many elements as keys).
// counts: this PE's own, from bucket_counts.
void order_by_bucket(const is_class& problem, std::span<const is_key> keys, std::span<const std::int32_t> counts,
                     std::span<is_key> ordered);

// Which PE ranks which keys. PE j takes consecutive buckets until the running total reaches its share of all keys.
struct is_plan {
  std::vector<std::int32_t> first_bucket;  // p + 1: PE j has buckets [first_bucket[j], first_bucket[j + 1])
  std::vector<std::int32_t> send_counts;   // p: keys that this PE sends to each; they lie in this order in `ordered`
  is_key first_key = 0;                    // this PE ranks the keys in [first_key, last_key)
  is_key last_key = 0;
  std::int64_t keys_below = 0;  // keys of all PEs that are less than first_key
  std::int64_t keys_here = 0;   // keys that this PE will rank
  std::array<is_key, is_test_keys> test_keys{};
};

// own, total: buckets + 5 words each. me of p PEs. The plans of all PEs agree, since `total` does.
void plan_redistribution(const is_class& problem, std::span<const std::int32_t> own,
                         std::span<const std::int32_t> total, int p, int me, is_plan& plan);

// The counting sort. After it, below[k - first_key] is the number of received keys less than k, for every k in
// [first_key, last_key]: the rank of k is plan.keys_below + that.
void rank_keys(const is_plan& plan, std::span<const is_key> received, std::vector<std::int32_t>& below);

// The same in parts, for keys that lie in several places: counts the keys of one into `below`, which has
// last_key - first_key + 1 words and is 0 before the first; then makes of the counts what rank_keys leaves.
void count_keys(const is_plan& plan, std::span<const is_key> received, std::span<std::int32_t> below);
void rank_counted_keys(std::span<std::int32_t> below);

// How many of the test keys that this PE ranks have the rank that NPB lists. Summed over PEs: 5 if all is well.
int check_partial(const is_class& problem, const is_plan& plan, int iteration, std::span<const std::int32_t> below);

// Sorts the received keys by their ranks; true if they are in order and none is less than left_last, the last key of
// the nearest PE to the left that has any (-1 if there is none). To know one's own last key beforehand: last_key_here.
bool full_verify(const is_plan& plan, std::span<const is_key> received, std::span<const std::int32_t> below,
                 is_key left_last);
is_key last_key_here(std::span<const is_key> received);  // the greatest; -1 if there is none

// What a run on one PE computed.
struct is_result {
  int partial_passed = 0;  // of 5 * 10
  bool full_passed = false;
  double seconds = 0;  // of the ten timed rankings

  bool verified() const { return partial_passed == is_test_keys * is_iterations && full_passed; }
};

// The whole benchmark on one PE: an untimed ranking, then ten timed ones, then full verification.
is_result run_is(const is_class& problem);

// NPB's rate, in million keys ranked a second.
double is_mops(const is_class& problem, double seconds);

}  // namespace npb
