#include "tsubu/collection/pacer.hpp"

#include <algorithm>

namespace tsubu::collection {

pacer::pacer() : settings_(configured()) {
  if (settings_.when == pace::off) return;
  remote::current_pe->watch_idle(*this);
  cycle_ends(0);
}

bool pacer::is_time() const { return remote::current_pe->tasks.now() - ended_ns_ >= settings_.every_ns; }

void pacer::cycle_begins() {
  made_ = 0;
  waits_ = true;
  looks_at_ = never;
}

void pacer::cycle_ends(std::uint64_t marked) {
  // What has been made since the cycle began may be garbage by now, and counts for the next.
  left_ = marked;
  waits_ = false;
  if (settings_.when == pace::automatic) looks_at_ = std::max(least, left_);
  if (settings_.when == pace::timed) {
    looks_at_ = made_ + between_looks_at_clock;
    ended_ns_ = remote::current_pe->tasks.now();
  }
}

void pacer::on_idle() {
  if (waits_ || made_ == 0) return;
  if (settings_.when == pace::timed ? is_time() : made_ >= std::max(least_when_idle, left_ / 4)) ask();
}

void pacer::look() {
  if (settings_.when == pace::timed && !is_time()) {
    looks_at_ = made_ + between_looks_at_clock;
  } else {
    ask();
  }
}

void pacer::ask() {
  waits_ = true;
  looks_at_ = never;
  ask_for_cycle();
}

}  // namespace tsubu::collection
