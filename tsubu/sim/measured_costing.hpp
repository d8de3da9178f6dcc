// Time by this computer's clock: what it takes for a turn, scaled, is what the simulated PE takes. The program need not
// say anything, but two runs differ, as the computer does.
#pragma once

#include "tsubu/base/host_clock.hpp"
#include "tsubu/sim/batch_costing.hpp"

namespace tsubu::sim {

class measured_costing final : public batch_costing {
 public:
  using batch_costing::batch_costing;

  void goes_on() override { host_.begin(); }
  void charge(processor& p) override;
  // A program sees what it has computed by then.
  void looks(processor& p) override { charge(p); }

 private:
  host_clock host_;
};

}  // namespace tsubu::sim
