#include "apps/kmer/tally.hpp"

#include <algorithm>

#include "tsubu/tsubu.hpp"

namespace kmer {
namespace {

using namespace tsubu;

constexpr std::size_t most_multiplicities = 100;

struct frequent {
  std::uint64_t count = 0;
  code kmer = 0;
};

bool before(const frequent& a, const frequent& b) { return a.count != b.count ? a.count > b.count : a.kmer < b.kmer; }

}  // namespace

task<tally> tally_all(const count_table& counts) {
  tally all;
  frequent most;
  std::vector<std::uint64_t> multiplicities(most_multiplicities);
  counts.for_each([&](const count_table::entry& e) {
    all.counted.add(e.key, e.count);
    all.digest += digest_of(e.key, e.count);
    ++multiplicities[std::min<std::size_t>(e.count, most_multiplicities) - 1];
    const frequent here{e.count, e.key};
    if (before(here, most)) most = here;
  });

  all.counted.total = co_await all_reduce(all.counted.total, reduce::plus);
  all.counted.codes = co_await all_reduce(all.counted.codes, reduce::plus);
  all.distinct = co_await all_reduce(static_cast<std::uint64_t>(counts.size()), reduce::plus);
  all.digest = co_await all_reduce(all.digest, reduce::plus);
  const std::vector<frequent> candidates = co_await all_gather(most);
  const frequent first = *std::min_element(candidates.begin(), candidates.end(), before);
  all.most_frequent = first.kmer;
  all.most = first.count;
  all.multiplicities = co_await all_reduce(multiplicities, reduce::plus);
  while (!all.multiplicities.empty() && all.multiplicities.back() == 0) all.multiplicities.pop_back();
  co_return all;
}

}  // namespace kmer
