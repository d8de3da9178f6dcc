#include "tsubu/remote/memory/landing.hpp"

#include <algorithm>

namespace tsubu::remote {
namespace {

// The landings of all sizes that this PE has used.
pe_local<std::vector<landings*>> all_landings;

}  // namespace

landings::landings() : by_pe_(static_cast<std::size_t>(pe_count())) { all_landings->push_back(this); }

void landing::refuse(pe_id from, std::size_t bytes, std::size_t count) const {
  fail("PE " + std::to_string(from) + " sends " + std::to_string(count) + " values of " + std::to_string(bytes) +
       " bytes, but " + std::to_string(places_.size()) + " are awaited from there");
}

bool landing::mark(landing_wait& waiter) {
  if (places_.size() == 0) return false;
  marks_.push_back({places_.pushed(), &waiter});
  first_mark_ = marks_.front().position;
  return true;
}

void landing::unmark(const landing_wait& waiter) {
  std::erase_if(marks_, [&](const mark_at& m) { return m.waiter == &waiter; });
  first_mark_ = marks_.empty() ? none : marks_.front().position;
}

void landing::reach_marks() {
  const auto ahead =
      std::find_if(marks_.begin(), marks_.end(), [&](const mark_at& m) { return m.position > places_.taken(); });
  for (auto m = marks_.begin(); m != ahead; ++m) m->waiter->reached_one();
  marks_.erase(marks_.begin(), ahead);
  first_mark_ = marks_.empty() ? none : marks_.front().position;
}

void landing_wait::suspend(ready_item who, std::source_location where) {
  all_.suspend(who, where);
  for (landings* of_a_size : *all_landings) {
    of_a_size->for_each([this](landing& from) { ahead_ += from.mark(*this) ? 1 : 0; });
  }
  if (ahead_ == 0) all_.set_value();
}

landing_wait::~landing_wait() {
  if (ahead_ == 0) return;
  for (landings* of_a_size : *all_landings) {
    of_a_size->for_each([this](landing& from) { from.unmark(*this); });
  }
}

}  // namespace tsubu::remote
