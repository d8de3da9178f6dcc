// NPB IS on distributed keys: PE i of P has the keys [floor(n i / P), floor(n (i + 1) / P)) of the sequence, and ranks
// those that lie in its range of consecutive buckets.
//
// Source: Bailey et al. 1994, section 2.5; NPB 3.4.
#pragma once

#include <memory>
#include <vector>

#include "apps/is/redistribution.hpp"
#include "apps/npb/is.hpp"
#include "tsubu/task/task.hpp"

namespace is {

class ranker {
 public:
  // Makes this PE's keys. Local.
  explicit ranker(const npb::is_class& problem);

  std::size_t keys() const { return keys_.size(); }
  void move_by(std::unique_ptr<redistribution> how) { redistribution_ = std::move(how); }

  // Ranks all keys, once. Returns how many of the test keys ranked here have the right rank. Collective.
  tsubu::task<int> rank(int iteration);

  // Are all keys in order, by the last ranking? Collective; the same on every PE.
  tsubu::task<bool> all_sorted();

  // Undoes what the iterations have changed. Local.
  void restore() { npb::restore_keys(problem_, first_, keys_); }

 private:
  const npb::is_class& problem_;
  std::int64_t first_;                // position of this PE's keys in the sequence
  std::vector<npb::is_key> keys_;     // in small pages: they are read in order
  std::vector<std::int32_t> counts_;  // npb::bucket_counts
  std::unique_ptr<redistribution> redistribution_;
  npb::is_plan plan_;
  key_pieces received_;
  count_table below_;  // npb::rank_keys
};

}  // namespace is
