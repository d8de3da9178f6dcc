// When a PE asks for a collection by itself, as --tsubu-collect says: by what has been made since the last one.
#pragma once

#include <cstdint>
#include <limits>

#include "tsubu/collection/settings.hpp"
#include "tsubu/remote/step_hooks.hpp"

namespace tsubu::collection {

class pacer final : remote::idle_watcher {
 public:
  pacer();  // as configured
  pacer(const pacer&) = delete;
  pacer& operator=(const pacer&) = delete;

  // An object of a collected class has been made here, or has come.
  void made() {
    if (++made_ >= looks_at_) [[unlikely]]
      look();
  }
  // One has ended without a cycle.
  void ended() { ++ended_; }
  // Something may end without collect().
  bool is_on() const { return settings_.when != pace::off; }
  // So many since a cycle has begun here.
  std::uint64_t count_made() const { return made_; }

  void cycle_begins();
  // So many objects have been marked here.
  void cycle_ends(std::uint64_t marked);

 private:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  // Less garbage than that is not worth a cycle's messages.
  static constexpr std::uint64_t least_when_idle = 1'000;
  static constexpr std::uint64_t least = 10'000;
  static constexpr std::uint64_t between_looks = 64;

  // What may be garbage by now, at most.
  std::uint64_t pending() const { return made_ > ended_ ? made_ - ended_ : 0; }
  void on_idle() override;
  void look();
  void ask();
  bool is_time() const;

  const collection_settings settings_;
  std::uint64_t made_ = 0;   // since the last cycle has begun
  std::uint64_t ended_ = 0;  // of them, and of older ones, without a cycle
  std::uint64_t looks_at_ = never;
  std::uint64_t asks_at_ = never;
  std::uint64_t left_ = 0;  // by the last cycle
  std::int64_t ended_ns_ = 0;
  bool waits_ = false;  // for a cycle that it has asked for, or that has begun
};

// Ends objects that have lost their last strong_ref, as far as that can be known without a cycle. Local.
void end_what_nobody_holds();
// Has a cycle begin if none has that this PE has not seen. Local.
void ask_for_cycle();

}  // namespace tsubu::collection
