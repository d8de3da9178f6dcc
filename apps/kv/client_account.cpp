#include "apps/kv/client_account.hpp"

#include <algorithm>

#include "tsubu/base/check.hpp"

namespace kv {

client_account::share::share(client_account& in) : in_(in) {}
client_account::share::~share() { in_.forget(*this); }

client_account::client_account(std::size_t limit_bytes, std::size_t connections, std::int64_t patience_ns)
    : own_part_(limit_bytes / 2 / connections),
      common_(limit_bytes - own_part_ * connections),
      patience_ns_(patience_ns) {}

client_account::~client_account() {
  tsubu::require(beyond_own_.empty() && waiting_.empty(), "an account ends while connections hold bytes of it");
}

void client_account::set(share& of, std::size_t bytes, std::int64_t now) {
  const bool was_beyond = of.bytes_ > own_part_;
  common_used_ += beyond(bytes) - beyond(of.bytes_);
  of.bytes_ = bytes;
  if (was_beyond == (bytes > own_part_)) return;
  if (was_beyond) {
    beyond_own_[of.place_] = beyond_own_.back();
    beyond_own_[of.place_]->place_ = of.place_;
    beyond_own_.pop_back();
  } else {
    of.since_ = now;
    of.place_ = beyond_own_.size();
    beyond_own_.push_back(&of);
  }
}

void client_account::change(share& of, std::size_t bytes, std::int64_t now) {
  const std::size_t before = common_used_;
  set(of, bytes, now);
  if (common_used_ < before && anybody_waits()) serve(now);
}

void client_account::wait(share& of, std::size_t bytes) {
  tsubu::require(!of.waits_ && bytes <= most_of_one(), "a connection waits twice, or for more than it may hold");
  of.waits_ = true;
  of.wanted_ = bytes;
  waiting_.push_back(&of);
}

void client_account::no_longer_waits(share& of) {
  of.waits_ = false;
  waiting_.erase(std::find(waiting_.begin(), waiting_.end(), &of));
}

client_account::share* client_account::next_to_serve() const {
  const auto less = [](const share* a, const share* b) { return a->bytes_ < b->bytes_; };
  const auto least = std::min_element(waiting_.begin(), waiting_.end(), less);
  return least == waiting_.end() ? nullptr : *least;
}

// Nobody overtakes who holds least: so whoever has much cannot keep out who has little.
void client_account::serve(std::int64_t now) {
  for (share* next; (next = next_to_serve()) != nullptr && has_room(*next, next->wanted_);) {
    no_longer_waits(*next);
    set(*next, next->wanted_, now);
    if (next->bytes_ > own_part_) next->since_ = now;  // that it had to wait is not held against it
    next->go_on();
  }
}

// The worst of those who hold no less than `than`.
client_account::share* client_account::worst_but(const share& than, std::int64_t now) const {
  share* found = nullptr;
  double most = 0;
  for (share* const one : beyond_own_) {
    const std::int64_t held_ns = now - one->since_;
    if (one == &than || one->cut_ || one->bytes_ < than.bytes_ || held_ns < patience_ns_) continue;
    const double offence = static_cast<double>(beyond(one->bytes_)) * static_cast<double>(held_ns);
    if (found == nullptr || offence > most) {
      found = one;
      most = offence;
    }
  }
  return found;
}

void client_account::cut_one(share& which) {
  which.cut_ = true;
  ++cut_;
  if (which.waits_) no_longer_waits(which);
  which.end();
}

void client_account::look(std::int64_t now) {
  for (;;) {
    serve(now);
    const share* const next = next_to_serve();
    if (next == nullptr) return;
    // What those who were cut still hold comes back.
    std::size_t used = common_used_ - beyond(next->bytes_) + beyond(next->wanted_);
    for (const share* const one : beyond_own_) used -= one->cut_ ? beyond(one->bytes_) : 0;
    if (used <= common_) return;
    share* const one = worst_but(*next, now);
    if (one == nullptr) return;
    cut_one(*one);
  }
}

void client_account::cut_all_that_wait() {
  while (!waiting_.empty()) cut_one(*waiting_.back());
}

void client_account::forget(share& of) {
  if (of.waits_) no_longer_waits(of);
  change(of, 0, of.since_);
}

}  // namespace kv
