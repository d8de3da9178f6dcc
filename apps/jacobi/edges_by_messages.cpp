#include "apps/jacobi/edges.hpp"

namespace jacobi {
namespace {

using namespace tsubu;

// Rows that have come. Messages of a pair of PEs keep their order, so the first is that of this step.
struct arrivals {
  tsubu::sync<std::vector<double>> from_above;
  tsubu::sync<std::vector<double>> from_below;
};
pe_local<arrivals> arrivals_here;

void take_from_above(std::vector<double> row) { arrivals_here->from_above.write(std::move(row)); }
void take_from_below(std::vector<double> row) { arrivals_here->from_below.write(std::move(row)); }

class message_exchange final : public edge_exchange {
 public:
  task<void> exchange(grid_block& block) override {
    const pe_id me = this_pe(), last = static_cast<pe_id>(pe_count() - 1);
    const auto upper = block.upper_row(), lower = block.lower_row();
    if (me != 0) at(me - 1).past<take_from_below>(std::vector(upper.begin(), upper.end()));
    if (me != last) at(me + 1).past<take_from_above>(std::vector(lower.begin(), lower.end()));
    flush();
    if (me != 0) {
      const std::vector<double> row = co_await arrivals_here->from_above.read();
      block.set_above(row);
    }
    if (me != last) {
      const std::vector<double> row = co_await arrivals_here->from_below.read();
      block.set_below(row);
    }
  }
};

}  // namespace

std::unique_ptr<edge_exchange> exchange_by_messages() { return std::make_unique<message_exchange>(); }

}  // namespace jacobi
