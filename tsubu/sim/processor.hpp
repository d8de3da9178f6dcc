// One simulated PE, as the engine sees it: its end of the network, what has arrived for it, its time and its account.
#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/simulated_machine.hpp"
#include "tsubu/sim/account.hpp"
#include "tsubu/sim/end.hpp"
#include "tsubu/sim/network.hpp"

namespace tsubu::sim {

struct processor {
  processor(engine& all, pe_id number, int pes, std::size_t batch_bytes, ::tsubu::transport::grid_shape shape)
      : wire(all, number, pes, batch_bytes, shape) {}

  pe_id number() const { return wire.pe(); }

  end wire;
  std::unique_ptr<driven_pe> pe;  // null while it is being made
  job_ender ender;
  std::priority_queue<flight, std::vector<flight>, std::greater<>> arrivals;
  std::uint64_t flights = 0;  // that it has sent

  std::int64_t ps = 0;  // its time, while it does not run
  bool parked = false;
  std::int64_t wakes_ps = 0;  // while it is parked: when it has a turn, if nothing comes before
  bool half_way = false;      // through its turn
  bool ended = false;

  driven_pe::deeds charged;  // what it had done when it was last charged for it
  sim::account account;
};

}  // namespace tsubu::sim
