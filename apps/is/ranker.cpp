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
  received_ = co_await redistribution_->move(keys_, counts_, plan_);
  below_.assign(static_cast<std::size_t>(plan_.last_key - plan_.first_key) + 1, 0);
  for (const std::span<const npb::is_key> piece : received_) npb::count_keys(plan_, piece, below_);
  npb::rank_counted_keys(below_);
  co_return npb::check_partial(problem_, plan_, iteration, below_);
}

task<bool> ranker::all_sorted() {
  std::vector<npb::is_key> received;
  for (const std::span<const npb::is_key> piece : received_)
    received.insert(received.end(), piece.begin(), piece.end());
  const std::vector<npb::is_key> last_keys = co_await all_gather(npb::last_key_here(received));
  npb::is_key left_last = -1;
  for (pe_id pe = 0; pe < this_pe(); ++pe) left_last = std::max(left_last, last_keys[static_cast<std::size_t>(pe)]);
  co_return co_await all_reduce(npb::full_verify(plan_, received, below_, left_last), reduce::all);
}

}  // namespace is
