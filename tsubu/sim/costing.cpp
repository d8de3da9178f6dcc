#include "tsubu/sim/costing.hpp"

#include "tsubu/sim/declared_costing.hpp"
#include "tsubu/sim/measured_costing.hpp"
#include "tsubu/sim/played_costing.hpp"
#include "tsubu/sim/simulation.hpp"

namespace tsubu::sim {

void costing::looks(processor& p) {
  constexpr int most_free_looks = 1000;
  if (++looks_ > most_free_looks) all_.spend(p.account.time.idle, all_.on.clock_ps);
}

std::unique_ptr<costing> make_costing(simulation& all, arrival arrives, resumption resumes) {
  if (all.on.sends_each_alone()) return std::make_unique<played_costing>(all, std::move(arrives), std::move(resumes));
  if (all.settings.work == work_time::measured) return std::make_unique<measured_costing>(all, std::move(arrives));
  return std::make_unique<declared_costing>(all, std::move(arrives));
}

}  // namespace tsubu::sim
