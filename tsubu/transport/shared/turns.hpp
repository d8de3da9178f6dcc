// The ends of PEs that take turns on one thread: they sleep in one bed, and close together.
//
// Invariant: whoever wakes one of these PEs wakes their thread (shared_group::sleep_together), which looks after all of
// them before it sleeps again.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "tsubu/transport/shared/end.hpp"
#include "tsubu/transport/shared/group.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

class time_multiplexed_ends final : public shared_thread {
 public:
  // Makes the ends of PEs first to first + count - 1, on the thread that calls this. Collective: returns when all PEs
  // of the group are there.
  time_multiplexed_ends(shared_group& shared, pe_id first, pe_id count, grid_shape shape)
      : shared_(shared), bed_(shared.bed_of(first)) {
    shared.sleep_together(first, count);
    for (pe_id pe = first; pe < first + count; ++pe) {
      own_.push_back(std::make_unique<shared_end>(shared, pe, shape));
      ends_.push_back(own_.back().get());
    }
    meet([](shared_end&) { return false; });
  }

  // Returns when all PEs of the group have come here: until then another may touch what is theirs.
  void stay_for_others() {
    meet([](shared_end&) { return false; });
  }

  void wait(std::int64_t timeout_us) override {
    if (any([](shared_end& end) { return end.has_waiting(); }))
      timeout_us = std::min(timeout_us, shared_end::look_again_us);
    bed_.sleep(std::chrono::microseconds(timeout_us),
               [this] { return any([](shared_end& end) { return end.has_reason(); }); });
    for (const auto& end : own_) end->woken_up();
  }

  void close() override {
    while (any([](shared_end& end) { return end.has_waiting(); })) {
      bool moved = false;
      for (const auto& end : own_) moved |= end->keep_arrivals();
      if (!moved) wait(shared_end::look_again_us);
    }
    meet([](shared_end& end) { return end.keep_arrivals(); });
    for (const auto& end : own_) end->end_close();
  }

 private:
  template <class Test>
  bool any(Test test) const {
    return std::any_of(own_.begin(), own_.end(), [&](const auto& end) { return test(*end); });
  }

  // Each PE comes to the meeting of all. Meanwhile `look_after` each, which says whether there was something to do.
  template <class LookAfter>
  void meet(LookAfter look_after) {
    meeting& everyone = shared_.everyone();
    std::uint32_t round = 0;
    for (std::size_t i = 0; i < own_.size(); ++i) round = everyone.arrive();
    while (!everyone.is_over(round)) {
      bool moved = false;
      for (const auto& end : own_) moved |= look_after(*end);
      if (!moved) everyone.wait(round, std::chrono::microseconds(shared_end::look_again_us));
    }
  }

  shared_group& shared_;
  parking& bed_;
  std::vector<std::unique_ptr<shared_end>> own_;
};

}  // namespace tsubu::transport
