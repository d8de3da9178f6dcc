#include "tsubu/collection/pacer.hpp"

#include <algorithm>

#include "tsubu/collection/held_names.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::collection {

pacer::pacer() : settings_(configured()) {
  if (settings_.when == pace::off) return;
  remote::current_pe->watch_idle(*this);
  cycle_ends(0);
}

bool pacer::is_time() const { return remote::current_pe->tasks.now() - ended_ns_ >= settings_.every_ns; }

void pacer::cycle_begins() {
  made_ = ended_ = 0;
  waits_ = true;
  looks_at_ = asks_at_ = never;
}

void pacer::cycle_ends(std::uint64_t marked) {
  // What has been made since the cycle began may be garbage by now, and counts for the next.
  left_ = marked;
  waits_ = false;
  if (!is_on()) return;
  looks_at_ = made_ + between_looks;
  if (settings_.when == pace::automatic) asks_at_ = std::max(least, left_);
  if (settings_.when == pace::timed) ended_ns_ = remote::current_pe->tasks.now();
}

void pacer::on_idle() {
  if (names_held->has_dropped() && !names_held->marking()) end_what_nobody_holds();
  if (waits_ || pending() == 0) return;
  if (settings_.when == pace::timed ? is_time() : pending() >= std::max(least_when_idle, left_ / 4)) ask();
}

void pacer::look() {
  looks_at_ = made_ + between_looks;
  if (names_held->has_dropped() && !names_held->marking()) end_what_nobody_holds();
  if (waits_) return;
  if (settings_.when == pace::timed ? is_time() : pending() >= asks_at_) ask();
}

void pacer::ask() {
  waits_ = true;
  ask_for_cycle();
}

}  // namespace tsubu::collection
