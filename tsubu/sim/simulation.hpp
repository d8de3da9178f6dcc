// What the parts of a simulated job share: the machine, its network, its PEs and the time of the one whose turn it is.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tsubu/sim/machine.hpp"
#include "tsubu/sim/network.hpp"
#include "tsubu/sim/processor.hpp"
#include "tsubu/sim/schedule.hpp"
#include "tsubu/sim/settings.hpp"
#include "tsubu/sim/trace.hpp"

namespace tsubu::sim {

struct simulation {
  simulation(const machine& m, int count, const engine_settings& s)
      : on(m),
        settings(s),
        wires(on, count),
        varied(s.seed != 0 ? std::make_unique<schedule>(s.seed, count, wires.least_ps()) : nullptr),
        traced(s.trace.empty() ? nullptr : std::make_unique<trace>(s.trace, s.force, on.name, count)) {}

  processor& at(pe_id pe) { return *pes[static_cast<std::size_t>(pe)]; }

  // The PE that runs spends so long on that part of its account.
  void spend(std::int64_t& part, std::int64_t ps) {
    part += ps;
    now_ps += ps;
  }
  // By how much the next message is late.
  std::int64_t delay() { return varied != nullptr ? varied->delay() : 0; }

  // Constant after construction.
  const machine on;
  const engine_settings settings;

  network wires;
  const std::unique_ptr<schedule> varied;  // null: nothing is varied
  std::unique_ptr<trace> traced;           // null: nobody wants it
  std::vector<std::unique_ptr<processor>> pes;

  std::int64_t now_ps = 0;     // of the PE that runs
  std::int64_t worked_ps = 0;  // by work() and accesses to memory, of which its account has nothing yet
  std::uint64_t events = 0;    // turns, messages' steps and packets executed
};

}  // namespace tsubu::sim
