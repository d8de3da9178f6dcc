// What declared and measured costing have in common: messages go in batches, and the machine's file says what a batch
// takes its sender and its receiver.
#pragma once

#include <utility>

#include "tsubu/sim/costing.hpp"

namespace tsubu::sim {

class batch_costing : public costing {
 public:
  batch_costing(simulation& all, arrival arrives) : costing(all, std::move(arrives)) {}

  void half_over(processor& p, std::int64_t) final { charge(p); }
  std::optional<std::int64_t> another_turn(processor& p) final;
  void send(processor& p, flight& f, const message_facts& facts, batch_size size) final;
  void send_free(flight& f) final;
  void brought(const flight& f) final;
  void take(processor& p, const flight& f, batch_size size) final;
  void settle(processor& p, std::int64_t end_ps) final;

 private:
  std::int64_t handing_over(batch_size size) const;
};

}  // namespace tsubu::sim
