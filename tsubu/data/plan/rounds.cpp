#include "tsubu/data/plan/rounds.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include "tsubu/remote/memory/segment_memory.hpp"
#include "tsubu/task/sync.hpp"

namespace tsubu::data {

plan_rounds::plan_rounds(const std::vector<pe_id>& sources, const std::vector<pe_id>& destinations)
    : roles_(static_cast<std::size_t>(pe_count())), begun_(roles_.size()) {
  for (const pe_id pe : sources)
    roles_[static_cast<std::size_t>(pe)] |= static_cast<std::uint8_t>(partner_role::source);
  for (const pe_id pe : destinations)
    roles_[static_cast<std::size_t>(pe)] |= static_cast<std::uint8_t>(partner_role::destination);
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    if (roles_[static_cast<std::size_t>(pe)] == 0) continue;
    partners_.push_back(pe);
    if (!has(pe, partner_role::destination)) mere_sources_.push_back(pe);
  }
  partners_left_ = partners_.size();
}

std::size_t plan_rounds::behind(partner_role role, std::uint64_t round) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      partners_, [&](pe_id pe) { return has(pe, role) && begun_[static_cast<std::size_t>(pe)] < round; }));
}

void plan_rounds::partner_began(pe_id by) {
  const std::uint64_t round = ++begun_[static_cast<std::size_t>(by)];
  if (waiting_ == nullptr || waiting_->round_ != round || !has(by, waiting_->role_)) return;
  if (--waiting_->behind_ == 0) std::exchange(waiting_, nullptr)->record_.wake();
}

void plan_rounds::partner_left(pe_id by) {
  require(roles_[static_cast<std::size_t>(by)] != 0 && partners_left_ > 0,
          "PE {} leaves an exchange plan that it has no part in", by);
  --partners_left_;
}

struct plan_table::plan {
  std::unique_ptr<plan_rounds> rounds;  // null while it is not made here
  remote::segment_id views = 0;
  bool left = false;
  tsubu::sync<said> opened;
};
struct plan_table::table {
  std::unordered_map<std::uint32_t, plan> by_number;
};

plan_table::plan_table() : plans_(std::make_unique<table>()) {}
plan_table::~plan_table() = default;

void plan_table::add(std::uint32_t number, std::unique_ptr<plan_rounds> rounds, remote::segment_id views) {
  plan& made = plans_->by_number[number];
  made.rounds = std::move(rounds);
  made.views = views;
}

plan_table::plan& plan_table::find(std::uint32_t number, pe_id who) {
  const auto at = plans_->by_number.find(number);
  require(at != plans_->by_number.end() && at->second.rounds != nullptr,
          "PE {} has a message for exchange plan {} of PE {}, which is not there", who, number, this_pe());
  return at->second;
}

void plan_table::partner_opened(std::uint32_t number, pe_id by, partner_views views) {
  plans_->by_number[number].opened.write({by, views});
}

task<plan_table::said> plan_table::next_opened(std::uint32_t number) {
  co_return co_await plans_->by_number[number].opened.read();
}

plan_rounds& plan_table::at(std::uint32_t number, pe_id who) { return *find(number, who).rounds; }

void plan_table::leave(std::uint32_t number) {
  plan& p = find(number, this_pe());
  p.left = true;
  end_if_left(number, p);
}

void plan_table::partner_left(std::uint32_t number, pe_id by) {
  plan& p = find(number, by);
  p.rounds->partner_left(by);
  end_if_left(number, p);
}

void plan_table::end_if_left(std::uint32_t number, const plan& p) {
  if (!p.left || !p.rounds->all_left()) return;
  remote::drop_segment(p.views, this_pe());
  plans_->by_number.erase(number);
}

const pe_local<plan_table> plans_here;

void round_begun::call(const message::delivery& d, std::uint32_t plan) {
  plans_here->at(plan, d.from).partner_began(d.from);
}

void views_opened::call(const message::delivery& d, std::uint32_t plan, remote::segment_id segment, std::uint64_t first,
                        std::uint64_t stride) {
  plans_here->partner_opened(plan, d.from, {segment, first, stride});
}

void plan_left::call(const message::delivery& d, std::uint32_t plan) { plans_here->partner_left(plan, d.from); }

void round_begun_behind_write(std::uint32_t plan, pe_id by) { plans_here->at(plan, by).partner_began(by); }

}  // namespace tsubu::data
