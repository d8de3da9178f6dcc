#include "tsubu/sim/measured_costing.hpp"

#include <utility>

#include "tsubu/sim/simulation.hpp"

namespace tsubu::sim {

void measured_costing::charge(processor& p) {
  const auto host_ps = static_cast<double>(host_.took() * 1000);
  all_.spend(p.account.time.working, static_cast<std::int64_t>(host_ps * all_.settings.work_scale));
  if (p.pe == nullptr) return;  // it is being made
  const driven_pe::deeds now = p.pe->done();
  all_.events += now.packets_taken() - std::exchange(p.charged, now).packets_taken();
}

}  // namespace tsubu::sim
