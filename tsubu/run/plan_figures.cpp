#include "tsubu/run/plan_figures.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "tsubu/sim/machine.hpp"
#include "tsubu/sim/machine_search.hpp"

namespace tsubu::run_detail {
namespace {

using sim::step;

constexpr double ps = 1e-12, fs = 1e-15;

// What the steps of a kind of message take of one side, each word once.
double steps_ps(const sim::machine& m, std::string_view kind, step::what side) {
  const auto at = m.protocols.find(std::string(kind));
  double sum = 0;
  if (at == m.protocols.end()) return sum;
  for (const step& one : at->second) sum += one.does == side ? static_cast<double>(one.ps) : 0;
  return sum;
}

double slowest(const sim::machine& m, std::int64_t sim::occupancy::* of) {
  const auto& n = m.network;
  return static_cast<double>(std::max({n.sender.*of, n.wire.*of, n.receiver.*of}));
}

}  // namespace

data::known_figures figures_for_plans(const std::string& machine, const std::string& folder) {
  data::known_figures known;
  const std::string name = machine.empty() ? "cluster" : machine;
  if (name == "host") {
    const std::vector<std::string> there = sim::machine_names(folder);
    if (std::ranges::find(there, name) == there.end()) return known;
  }
  const sim::machine m = sim::read_machine(name, folder);
  const auto& cost = m.cost;
  data::machine_figures& f = known.figures;
  known.machine = m.name;
  f.clock = static_cast<double>(m.clock_ps) * ps;
  // A route has as many links as doublings lead to the number of PEs, about.
  const double links = std::log2(std::max(2, m.pes));
  f.latency = (static_cast<double>(m.network.latency) + links * static_cast<double>(m.network.link)) * ps;
  f.gap = slowest(m, &sim::occupancy::packet_ps) * ps;
  if (!m.protocols.empty()) {
    f.send = steps_ps(m, "write", step::what::sender) * ps;
    f.take = steps_ps(m, "write", step::what::receiver) * ps;
    f.write_send = steps_ps(m, "collective", step::what::sender) * ps;
    f.write_take = steps_ps(m, "collective", step::what::receiver) * ps;
    f.read = (steps_ps(m, "read", step::what::sender) + static_cast<double>(cost.task_switch)) * ps;
    f.serve = steps_ps(m, "read", step::what::receiver) * ps;
    return known;
  }
  const double byte_of_packet = static_cast<double>(cost.batch_byte_fs) * fs, packet_bytes = 16;
  f.send = static_cast<double>(cost.packet_send) * ps + packet_bytes * byte_of_packet;
  f.take = static_cast<double>(cost.packet_execute) * ps + packet_bytes * byte_of_packet;
  f.write_send = static_cast<double>(cost.batch_send + m.network.sender.packet_ps) * ps;
  f.write_take = static_cast<double>(cost.batch_receive + m.network.receiver.packet_ps) * ps;
  f.byte = std::max(slowest(m, &sim::occupancy::byte_fs),
                    static_cast<double>(std::max(cost.batch_byte_fs, cost.bulk_byte_fs))) *
           fs;
  f.read = f.send + f.take + static_cast<double>(cost.task_switch) * ps;
  f.serve = f.send + f.take;
  f.gap = packet_bytes * slowest(m, &sim::occupancy::byte_fs) * fs;
  return known;
}

}  // namespace tsubu::run_detail
