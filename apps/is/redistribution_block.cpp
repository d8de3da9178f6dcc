// Each PE groups its keys by bucket. Where there are many for each PE, the others then read them: P - 1 bulk reads by
// each PE, straight from the grouped keys into the place where they are ranked. Where there are few, they are exchanged
// by an all_to_all, in which what is for several PEs rides together.
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

class read_redistribution final : public redistribution {
 public:
  read_redistribution(const npb::is_class& problem, std::size_t keys) : problem_(problem), grouped_(keys) {}
  ~read_redistribution() override { unshare(readable_[static_cast<std::size_t>(this_pe())]); }

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

class exchange_redistribution final : public redistribution {
 public:
  exchange_redistribution(const npb::is_class& problem, std::size_t keys) : problem_(problem), grouped_(keys) {}

  task<key_pieces> move(std::span<const npb::is_key> keys, std::span<const std::int32_t> counts,
                        const npb::is_plan& plan) override {
    npb::order_by_bucket(problem_, keys, counts, grouped_);
    std::vector<std::vector<npb::is_key>> blocks;
    for (const piece& p : cut(plan)) {
      const auto first = grouped_.begin() + p.first;
      blocks.emplace_back(first, first + p.count);
    }
    received_ = co_await all_to_all(std::move(blocks));
    key_pieces found(received_.begin(), received_.end());
    co_return found;
  }

 private:
  const npb::is_class& problem_;
  key_table grouped_;
  std::vector<std::vector<npb::is_key>> received_;
};

}  // namespace

task<std::unique_ptr<redistribution>> make_block_redistribution(const npb::is_class& problem, std::size_t keys) {
  constexpr std::int64_t exchanged_to_bytes = 16384;  // for a PE, on the average: more is better not copied
  const std::int64_t pairs = std::int64_t{pe_count()} * pe_count();
  if (problem.keys() * std::int64_t{sizeof(npb::is_key)} / pairs <= exchanged_to_bytes) {
    co_return std::make_unique<exchange_redistribution>(problem, keys);
  }
  auto made = std::make_unique<read_redistribution>(problem, keys);
  co_await made->open();
  co_return made;
}

}  // namespace is
