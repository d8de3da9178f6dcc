#include "apps/is/ranker.hpp"

#include <algorithm>

#include "apps/npb/blocks.hpp"
#include "tsubu/tsubu.hpp"

namespace is {

using namespace tsubu;

ranker::ranker(const npb::is_class& problem)
    : problem_(problem),
      first_(npb::block_first(problem.keys(), pe_count(), this_pe())),
      keys_(npb::generate_keys(problem, first_, npb::block_first(problem.keys(), pe_count(), this_pe() + 1))),
      counts_(static_cast<std::size_t>(problem.buckets() + npb::is_test_keys)) {}

task<int> ranker::rank(int iteration) {
  npb::change_keys(problem_, iteration, first_, keys_);
  npb::bucket_counts(problem_, first_, keys_, counts_);
  const std::vector<std::int32_t> total = co_await all_reduce(counts_, reduce::plus);
  npb::plan_redistribution(problem_, counts_, total, pe_count(), this_pe(), plan_);
  co_await redistribution_->move(keys_, counts_, plan_, received_);
  npb::rank_keys(plan_, received_, below_);
  co_return npb::check_partial(problem_, plan_, iteration, below_);
}

task<bool> ranker::all_sorted() {
  const std::vector<npb::is_key> last_keys = co_await all_gather(npb::last_key_here(received_));
  npb::is_key left_last = -1;
  for (pe_id pe = 0; pe < this_pe(); ++pe) left_last = std::max(left_last, last_keys[static_cast<std::size_t>(pe)]);
  co_return co_await all_reduce(npb::full_verify(plan_, received_, below_, left_last), reduce::all);
}

}  // namespace is
