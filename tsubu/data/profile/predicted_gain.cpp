#include "tsubu/data/profile/predicted_gain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tsubu::data {
namespace {

constexpr message_figures assumed;
constexpr double much = 0.25;  // of the gain: so far off a prediction says why

// How the waits of a PE would change.
struct change {
  std::array<double, wait_kinds> left = {1, 1};  // of what it has waited, this part
  // The same if it waited for its own messages only, and not until it is its turn: what queues under one protocol need
  // not under another.
  std::array<double, wait_kinds> left_without_queues = {1, 1};
  double more_ns = 0;  // and in all phases together, so much that it has not waited
};

message_figures figures_seen(const std::vector<pe_waits>& of_pes) {
  double shortest_ns = std::numeric_limits<double>::max();
  for (const pe_waits& pe : of_pes) {
    if (pe.shortest_ns > 0) shortest_ns = std::min(shortest_ns, static_cast<double>(pe.shortest_ns));
  }
  message_figures seen = assumed;
  if (shortest_ns < std::numeric_limits<double>::max()) seen.round_trip_ns = shortest_ns;
  return seen;
}

change change_of(const pe_waits& pe, const message_figures& seen) {
  change c;
  for (std::size_t k = 0; k < wait_kinds; ++k) {
    const double before = pe.spent[k].time_ns(assumed), then = pe.then[k].time_ns(assumed);
    if (then < before) {
      c.left[k] = then / before;
      const auto waited_ns = static_cast<double>(pe.waited_ns[k]);
      c.left_without_queues[k] = waited_ns > 0 ? std::min(c.left[k], pe.then[k].time_ns(seen) / waited_ns) : c.left[k];
    } else {
      c.more_ns += std::max(0.0, pe.then[k].time_ns(seen) - pe.spent[k].time_ns(seen));
    }
  }
  return c;
}

double sum(const waited& w) { return static_cast<double>(w[0] + w[1]); }

double less_by(const std::array<double, wait_kinds>& left, const waited& w) {
  double ns = 0;
  for (std::size_t k = 0; k < wait_kinds; ++k) ns += static_cast<double>(w[k]) * (1 - left[k]);
  return ns;
}

class job {
 public:
  explicit job(const std::vector<pe_waits>& of_pes) : pes_(of_pes) {
    const message_figures seen = figures_seen(of_pes);
    for (const pe_waits& pe : of_pes) changes_.push_back(change_of(pe, seen));
  }

  // Nobody would wait otherwise than before.
  bool stays() const {
    return std::ranges::all_of(changes_, [](const change& c) {
      return c.more_ns == 0 && std::ranges::all_of(c.left, [](double left) { return left == 1; });
    });
  }

  // All PEs have been at the same meetings, so that the phases of one number are the same one.
  bool meets() const {
    return pes_[0].phases > 1 && std::ranges::all_of(pes_, [this](const pe_waits& pe) {
             return pe.phases == pes_[0].phases && pe.order == pes_[0].order && pe.kept.size() == pes_[0].kept.size();
           });
  }

  // What is counted of the PEs' time beside their work and what they have waited.
  struct counted {
    bool idle = true;    // with nothing to run, and not for shared data. Without: it shrinks as the waits of others do
    bool more = true;    // what PEs would wait more
    bool queues = true;  // what is left of waits is left, too, of waits for one's turn
  };
  double gain_of_phases(counted what) const {
    double gain = 0, waited_in_kept = 0, waited_in_all = 0;
    for (std::size_t i = 0; i < pes_[0].kept.size(); ++i) {
      double before = 0, then = 0;
      for (std::size_t pe = 0; pe < pes_.size(); ++pe) {
        const phase& p = pes_[pe].kept[i];
        const auto span = static_cast<double>(p.span_ns - (what.idle ? 0 : p.idle_ns));
        const double more = what.more ? changes_[pe].more_ns / static_cast<double>(pes_[pe].phases) : 0;
        before = std::max(before, span);
        then = std::max(
            then,
            span - less_by(what.queues ? changes_[pe].left : changes_[pe].left_without_queues, p.waited_ns) + more);
        waited_in_kept += sum(p.waited_ns);
      }
      gain += before - then;
    }
    for (const pe_waits& pe : pes_) waited_in_all += sum(pe.between_meetings_ns);
    const double of_kept = waited_in_kept > 0
                               ? waited_in_all / waited_in_kept
                               : static_cast<double>(pes_[0].phases) / static_cast<double>(pes_[0].kept.size());
    return gain * of_kept;
  }

  double mean_gain() const {
    double gain = 0;
    for (std::size_t pe = 0; pe < pes_.size(); ++pe)
      gain += less_by(changes_[pe].left, pes_[pe].waited_ns) - changes_[pe].more_ns;
    return gain / static_cast<double>(pes_.size());
  }
  double largest_gain() const {
    double gain = 0;
    for (std::size_t pe = 0; pe < pes_.size(); ++pe)
      gain = std::max(gain, less_by(changes_[pe].left_without_queues, pes_[pe].waited_ns));
    return gain;
  }

  // Which part of all waits for shared data was while another task of the PE was at a meeting.
  double waited_at_meetings() const {
    double between = 0, all = 0;
    for (const pe_waits& pe : pes_) {
      between += sum(pe.between_meetings_ns);
      all += sum(pe.waited_ns);
    }
    return all > 0 ? 1 - between / all : 0;
  }

 private:
  const std::vector<pe_waits>& pes_;
  std::vector<change> changes_;
};

}  // namespace

predicted_gain predict_gain(const std::vector<pe_waits>& of_pes) {
  const job all(of_pes);
  if (all.stays()) return {};
  const auto whole = [](double ns) { return static_cast<std::int64_t>(std::llround(ns)); };
  if (of_pes.size() > 1 && !all.meets()) {
    const bool never = std::ranges::all_of(of_pes, [](const pe_waits& pe) { return pe.phases <= 1; });
    return {whole(all.mean_gain()), whole(all.largest_gain()),
            never ? "its PEs never meet at a barrier, and who waits for whom is not known"
                  : "its PEs do not all meet at the same barriers, and who waits for whom is not known"};
  }
  const double gain = all.gain_of_phases({});
  const double at_most = std::max(all.gain_of_phases({.more = false, .queues = false}),
                                  all.gain_of_phases({.idle = false, .more = false, .queues = false}));
  predicted_gain found{whole(gain), whole(std::max(at_most, gain))};
  const auto because = [&found](const char* why) {
    found.why_not += (found.why_not.empty() ? "" : "; ") + std::string(why);
  };
  const auto is_far = [&](job::counted what) {
    return std::abs(all.gain_of_phases(what) - gain) > much * std::abs(gain);
  };
  if (is_far({.more = false})) because("PEs would wait that have not waited, and for how long is assumed");
  if (is_far({.queues = false}))
    because("PEs wait for each other's turn at the same data, and that may shrink by more");
  if (is_far({.idle = false})) because("PEs also wait for messages, locks or teams, and that may shrink, too");
  if (all.waited_at_meetings() > much)
    because("tasks wait for shared data while another one of their PE is at a barrier");
  return found;
}

}  // namespace tsubu::data
