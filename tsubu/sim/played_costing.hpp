// Time by protocols, on machines that send each message by itself. The program's code runs in no time; what it computes
// and sends in a turn is an activity, which is played step by step when the turn is over (protocol.hpp).
#pragma once

#include <vector>

#include "tsubu/sim/costing.hpp"
#include "tsubu/sim/protocol.hpp"

namespace tsubu::sim {

class played_costing final : public costing {
 public:
  played_costing(simulation& all, arrival arrives, resumption resumes);

  void charge(processor&) override {}
  void half_over(processor& p, std::int64_t began_ps) override;
  std::optional<std::int64_t> another_turn(processor& p) override;
  void interrupted(processor& p) override { add_work(p); }
  void turn_over(processor& p) override;
  void message_begins(processor& p) override;
  void send(processor& p, flight& f, const message_facts& facts, batch_size size) override;
  void send_free(flight& f) override;
  void brought(const flight& f) override { player_.arrived(f); }
  std::int64_t next_ps() const override { return player_.next_ps(); }
  void move() override { player_.move(); }
  void settle(processor& p, std::int64_t end_ps) override;
  const predictor* expected(pe_id pe) const override { return player_.expected(pe); }

 private:
  void add_work(processor& p);

  protocol_player player_;
  std::vector<std::uint32_t> turns_unplayed_;  // by PE, one after the other
};

}  // namespace tsubu::sim
