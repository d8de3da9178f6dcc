// Is there an order of verbs that explains what was said to those who asked, and what there is at the end?
//
// The verbs are those of one key. Those of a PE stand in the order in which they were sent, which is kept; and what was
// answered before something else was sent comes before it. A verb that was sent as past has no answer, and no end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tsubu::test {

using answer = std::vector<long>;

struct sent_verb {
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  int what = 0;
  long by = 0;
  std::int64_t called = 0;
  std::int64_t returned = never;
  std::optional<answer> said;
};

// What each PE has sent.
using key_history = std::vector<std::vector<sent_verb>>;

// Model has a state, which begins as state(), and answer apply(state&, const sent_verb&).
template <class Model>
class order_search {
  using state = typename Model::state;

 public:
  explicit order_search(const key_history& all) : all_(all), done_(all.size(), 0) {
    for (const std::vector<sent_verb>& of_pe : all) {
      std::vector<std::int64_t>& first = first_return_.emplace_back(of_pe.size() + 1, sent_verb::never);
      for (std::size_t i = of_pe.size(); i > 0; --i) first[i - 1] = std::min(first[i], of_pe[i - 1].returned);
    }
  }

  // Whether an order ends with `last`.
  bool finds(const state& last) {
    seen_.clear();
    return goes_on(state(), last);
  }

 private:
  // What may be next: PEs, the one that sent first in front.
  std::vector<std::size_t> next() const {
    std::int64_t before = sent_verb::never;
    std::vector<std::size_t> pes;
    for (std::size_t pe = 0; pe < all_.size(); ++pe) before = std::min(before, first_return_[pe][done_[pe]]);
    for (std::size_t pe = 0; pe < all_.size(); ++pe) {
      if (done_[pe] < all_[pe].size() && all_[pe][done_[pe]].called < before) pes.push_back(pe);
    }
    std::ranges::sort(pes, {}, [this](std::size_t pe) { return all_[pe][done_[pe]].called; });
    return pes;
  }
  bool goes_on(const state& now, const state& last) {
    const std::vector<std::size_t> pes = next();
    if (pes.empty()) return now == last;
    if (!seen_.emplace(done_, now).second) return false;
    for (const std::size_t pe : pes) {
      const sent_verb& verb = all_[pe][done_[pe]];
      state then = now;
      const answer says = Model::apply(then, verb);
      if (verb.said.has_value() && *verb.said != says) continue;
      ++done_[pe];
      const bool found = goes_on(then, last);
      --done_[pe];
      if (found) return true;
    }
    return false;
  }

  const key_history& all_;
  std::vector<std::vector<std::int64_t>> first_return_;  // of what a PE has sent from here on
  std::vector<std::size_t> done_;                        // of each PE
  std::set<std::pair<std::vector<std::size_t>, state>> seen_;
};

}  // namespace tsubu::test
