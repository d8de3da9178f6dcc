// Time by what is said: the program says what it computes, and the machine's file what each packet, task and batch
// takes. So a job takes the same time on every computer.
#pragma once

#include "tsubu/sim/batch_costing.hpp"

namespace tsubu::sim {

class declared_costing final : public batch_costing {
 public:
  using batch_costing::batch_costing;

  void charge(processor& p) override;
};

}  // namespace tsubu::sim
