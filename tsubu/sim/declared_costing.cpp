#include "tsubu/sim/declared_costing.hpp"

#include <utility>

#include "tsubu/sim/simulation.hpp"

namespace tsubu::sim {

void declared_costing::charge(processor& p) {
  if (p.pe == nullptr) return;  // it is being made
  const driven_pe::deeds now = p.pe->done();
  const driven_pe::deeds before = std::exchange(p.charged, now);
  const auto since = [](std::uint64_t after, std::uint64_t was) { return static_cast<std::int64_t>(after - was); };
  breakdown& time = p.account.time;
  time.working += std::exchange(all_.worked_ps, 0);  // the clock has gone on by it already
  const std::int64_t executed = since(now.packets_taken(), before.packets_taken());
  all_.events += static_cast<std::uint64_t>(executed);
  all_.spend(time.executing, executed * all_.on.cost.packet_execute);
  all_.spend(time.sending, since(now.packets_sent, before.packets_sent) * all_.on.cost.packet_send);
  all_.spend(time.switching, since(now.tasks_run, before.tasks_run) * all_.on.cost.task_switch);
}

}  // namespace tsubu::sim
