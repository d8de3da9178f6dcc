#include "tsubu/data/profile/history.hpp"

#include <algorithm>
#include <utility>

namespace tsubu::data {
namespace {

constexpr std::size_t head = 16;  // bytes of a message beside the value

}  // namespace

void history::global(pe_id home, pe_id who, std::uint64_t accesses, std::size_t bytes) {
  if (who == home) return;
  of(protocol::global) += {2 * accesses, accesses * (2 * head + bytes), accesses};
}

void history::mobile(pe_id home, pe_id who, std::uint64_t moves, std::size_t bytes) {
  const pe_id to = who == home ? no_pe : who;
  if (mobile_at_ == to && moves <= 1) return;
  const std::uint64_t legs = (to != no_pe ? 1 : 0) + (mobile_at_ != no_pe ? 1 : 0);  // from home to it, and back home
  of(protocol::mobile) += {2 * legs * moves, legs * moves * (2 * head + bytes), legs * moves};
  mobile_at_ = to;
}

void history::update(pe_id home, pe_id who, std::uint64_t reads, std::uint64_t writes, std::size_t bytes) {
  traffic& t = of(protocol::update);
  if (reads != 0 && who != home && !update_copies_.contains(who)) {
    t += {2, 2 * head + bytes, 1};
    update_copies_.insert(who);
  }
  if (writes == 0) return;
  const std::uint64_t others = update_copies_.size() - (update_copies_.contains(who) ? 1 : 0);
  const std::uint64_t trips = (who != home ? 1 : 0) + (others != 0 ? 1 : 0);
  const std::uint64_t messages = (who != home ? 2 : 0) + 3 * others;
  t += {writes * messages, writes * (messages * head + (others + 1) * bytes), writes * trips};
}

void history::invalidate(pe_id home, pe_id who, std::uint64_t reads, std::uint64_t writes, std::size_t bytes) {
  traffic& t = of(protocol::invalidate);
  const pe_id me = who == home ? no_pe : who;
  const bool has =
      me == no_pe ? invalidate_owner_ == no_pe : invalidate_owner_ == me || invalidate_copies_.contains(who);
  if (reads != 0 && !has) {
    if (invalidate_owner_ != no_pe) {
      t += {2, 2 * head + bytes, 1};
      invalidate_copies_.insert(invalidate_owner_);
      invalidate_owner_ = no_pe;
    }
    if (me != no_pe) {
      t += {2, 2 * head + bytes, 1};
      invalidate_copies_.insert(who);
    }
  }
  if (writes == 0 || (me != no_pe && invalidate_owner_ == me)) return;
  invalidate_copies_.erase(who);
  const std::uint64_t others = invalidate_copies_.size() + (invalidate_owner_ != no_pe ? 1 : 0);
  if (others != 0) t += {2 * others, 2 * others * head, 1};
  if (me != no_pe) t += {2, 2 * head + bytes, 1};
  invalidate_copies_.clear();
  invalidate_owner_ = me;
}

void history::add(pe_id home, pe_id who, std::uint64_t reads, std::uint64_t writes, std::size_t bytes, protocol present,
                  run_cost* of_home, run_cost* of_who) {
  bytes_ = bytes;
  if (home_reads != 0 || home_writes != 0) {
    add_run(home, home, std::exchange(home_reads, 0), std::exchange(home_writes, 0), bytes, present, of_home);
  }
  if (reads != 0 || writes != 0) add_run(home, who, reads, writes, bytes, present, of_who);
}

void history::add_run(pe_id home, pe_id who, std::uint64_t reads, std::uint64_t writes, std::size_t bytes,
                      protocol present, run_cost* cost) {
  // Reads of others came in between, as far as one can know: each of these would have fetched a mobile value.
  const bool mixed = writes == 0 && (readers_ || (reader_ != no_pe && reader_ != who));
  const std::uint64_t moves = mixed ? std::max<std::uint64_t>(reads, 1) : 1;
  if (reads != 0) add_accesses(home, who, reads, 0, moves, bytes, present, cost != nullptr ? &cost->reads : nullptr);
  if (writes != 0) add_accesses(home, who, 0, writes, 1, bytes, present, cost != nullptr ? &cost->writes : nullptr);
  readers_ = mixed;
  reader_ = writes != 0 ? no_pe : who;
  ++runs_;
}

void history::add_accesses(pe_id home, pe_id who, std::uint64_t reads, std::uint64_t writes, std::uint64_t moves,
                           std::size_t bytes, protocol present, run_cost::of_kind* cost) {
  const traffic_by_protocol before = all_;
  global(home, who, reads + writes, bytes);
  mobile(home, who, moves, bytes);
  update(home, who, reads, writes, bytes);
  invalidate(home, who, reads, writes, bytes);
  const auto p = static_cast<std::size_t>(present == protocol::accumulate ? protocol::global : present);
  const traffic spent = all_[p].since(before[p]);
  spent_ += spent;
  if (cost == nullptr) return;
  for (std::size_t k = 0; k < compared_protocols; ++k) cost->under[k] += all_[k].since(before[k]);
  cost->spent += spent;
}

protocol history::better_than(protocol now, const message_figures& f) {
  if (runs_ < window) return now;
  runs_ = 0;
  std::array<double, compared_protocols> times{};
  for (std::size_t p = 0; p < compared_protocols; ++p) {
    times[p] = all_[p].time_ns(f) - before_[p].time_ns(f);
  }
  before_ = all_;
  const auto best = static_cast<std::size_t>(std::ranges::min_element(times) - times.begin());
  const double present = times[std::min(static_cast<std::size_t>(now), compared_protocols - 1)];
  const bool cheaper = times[best] < much_cheaper * present;
  const bool again = cheaper && wanted_once_ && wanted_ == protocol{static_cast<std::uint8_t>(best)};
  wanted_ = protocol{static_cast<std::uint8_t>(best)};
  wanted_once_ = cheaper && !again;
  return again ? wanted_ : now;
}

}  // namespace tsubu::data
