// Each PE groups its keys by bucket, where the others may read them: P - 1 bulk reads by each PE, straight from the
// grouped keys into the place where they are ranked.
#include <algorithm>

#include "apps/is/redistribution.hpp"
#include "tsubu/tsubu.hpp"

namespace is {

using namespace tsubu;

namespace {

// Consecutive keys in a PE's grouped ones.
struct piece {
  std::int64_t first;
  std::int64_t count;
};

// Which of this PE's grouped keys go to each PE.
std::vector<piece> cut(const npb::is_plan& plan) {
  std::vector<piece> pieces;
  std::int64_t first = 0;
  for (const std::int32_t count : plan.send_counts) {
    pieces.push_back({first, count});
    first += count;
  }
  return pieces;
}

class block_redistribution final : public redistribution {
 public:
  block_redistribution(const npb::is_class& problem, std::size_t keys) : problem_(problem), grouped_(keys) {}
  ~block_redistribution() override { unshare(readable_[static_cast<std::size_t>(this_pe())]); }

  // Collective.
  task<void> open() { readable_ = co_await all_gather(share(std::span(grouped_))); }

  task<key_pieces> move(std::span<const npb::is_key> keys, std::span<const std::int32_t> counts,
                        const npb::is_plan& plan) override {
    npb::order_by_bucket(problem_, keys, counts, grouped_);
    // What each PE is to read from this one becomes what this one is to read from each.
    const std::vector<piece> pieces = co_await all_to_all(cut(plan));
    const auto me = static_cast<std::size_t>(this_pe());
    received_.resize(static_cast<std::size_t>(plan.keys_here - pieces[me].count));
    key_pieces found;
    std::vector<future<void>> reads;
    std::span<npb::is_key> room(received_);
    for (std::size_t from = 0; from < pieces.size(); ++from) {
      const auto first = static_cast<std::size_t>(pieces[from].first),
                 count = static_cast<std::size_t>(pieces[from].count);
      if (from == me) {
        found.push_back(std::span(grouped_).subspan(first, count));
      } else {
        found.push_back(room.first(count));
        reads.push_back(start((readable_[from] + pieces[from].first).read(room.first(count))));
        room = room.subspan(count);
      }
    }
    for (future<void>& read : reads) co_await std::move(read);
    co_return found;
  }

 private:
  const npb::is_class& problem_;
  key_table grouped_;
  key_table received_;                             // from the others
  std::vector<global_ptr<npb::is_key>> readable_;  // by PE: its grouped_
};

}  // namespace

task<std::unique_ptr<redistribution>> make_block_redistribution(const npb::is_class& problem, std::size_t keys) {
  auto made = std::make_unique<block_redistribution>(problem, keys);
  co_await made->open();
  co_return made;
}

}  // namespace is
