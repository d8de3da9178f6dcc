#include "tsubu/sim/schedule.hpp"

namespace tsubu::sim {
namespace {

template <class T, std::size_t n>
T one_of(random_source& random, const T (&values)[n]) {
  return values[random.below(n)];
}

}  // namespace

schedule::schedule(std::uint64_t seed, int pes, std::int64_t latency_ps)
    : random_(seed), latency_ps_(latency_ps), slow_(static_cast<std::size_t>(pes), 1) {
  lateness_ = one_of(random_, {lateness::none, lateness::even, lateness::heavy_tail, lateness::heavy_tail,
                               lateness::heavy_tail, lateness::bursts});
  longest_ps_ = latency_ps_ * static_cast<std::int64_t>(one_of(random_, {1, 4, 16}));
  if (random_.below(3) == 0) {
    for (int& factor : slow_) {
      if (random_.below(4) == 0) factor = one_of(random_, {2, 10, 100});
    }
  }
  stalls_one_in_ = one_of(random_, {0U, 0U, 16U, 256U});
  shuffles_ = random_.below(2) == 0;
  shuffle_seed_ = random_();
}

std::int64_t schedule::delay() {
  const auto up_to = [this](std::int64_t most) {
    return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(most) + 1));
  };
  switch (lateness_) {
    case lateness::none:
      return 0;
    case lateness::even:
      return up_to(longest_ps_);
    case lateness::heavy_tail:
      return random_.below(16) == 0 ? 20 * longest_ps_ + up_to(20 * longest_ps_) : up_to(longest_ps_);
    case lateness::bursts:  // a run of messages, whoever sends them, is held up together
      if (burst_left_ == 0 && random_.below(64) == 0) burst_left_ = 1 + static_cast<int>(random_.below(32));
      if (burst_left_ == 0) return 0;
      --burst_left_;
      return 10 * longest_ps_ + up_to(longest_ps_);
  }
  return 0;
}

std::int64_t schedule::extra(pe_id pe, std::int64_t took_ps) {
  std::int64_t more = took_ps * (slow_[static_cast<std::size_t>(pe)] - 1);
  if (stalls_one_in_ != 0 && random_.below(stalls_one_in_) == 0) {
    more += static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(50 * latency_ps_) + 1));
  }
  return more;
}

std::optional<std::uint64_t> schedule::shuffle_seed(pe_id pe) const {
  if (!shuffles_) return std::nullopt;
  return shuffle_seed_ + static_cast<std::uint64_t>(pe);
}

std::string schedule::describe() const {
  constexpr const char* kinds[] = {"no message late", "every message a little late", "some messages very late",
                                   "messages held up in bursts"};
  std::string text = kinds[static_cast<int>(lateness_)];
  int slow = 0;
  for (const int factor : slow_) slow += factor > 1 ? 1 : 0;
  if (slow > 0) text += ", " + std::to_string(slow) + " slow PEs";
  if (stalls_one_in_ != 0) text += ", a stall in " + std::to_string(stalls_one_in_) + " turns";
  if (shuffles_) text += ", ready tasks in any order";
  return text;
}

varied_sizes vary_sizes(std::uint64_t seed) {
  random_source random(~seed);  // other numbers than the schedule's
  varied_sizes v;
  v.batch_bytes = one_of<std::size_t>(random, {0, 0, 256, 320, 1024, 4096, 65536});
  v.least_batch_bytes = one_of<std::size_t>(random, {0, 64, 256, 4096});
  v.oldest_us = one_of<double>(random, {0, 1, 50, 1000});
  v.hops = one_of(random, {0, 0, 1, 2, 3});
  v.row = one_of(random, {0, 0, 2, 4});
  return v;
}

}  // namespace tsubu::sim
