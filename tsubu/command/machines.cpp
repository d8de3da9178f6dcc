#include "tsubu/command/machines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "tsubu/base/printable.hpp"
#include "tsubu/base/standard_output.hpp"
#include "tsubu/command/quantity.hpp"
#include "tsubu/sim/machine.hpp"
#include "tsubu/sim/machine_search.hpp"

namespace tsubu::command {
namespace {

void row(std::string_view name, const std::string& value) { write_output(fmt::format("  {:<16} {}\n", name, value)); }

std::string_view name_of(sim::topology_kind kind) {
  constexpr std::string_view names[] = {"full", "bus", "omega", "mesh", "torus", "fat_tree", "dragonfly"};
  return names[static_cast<std::size_t>(kind)];
}

std::string bandwidth_of(std::int64_t byte_fs) { return bandwidth(1e15 / static_cast<double>(byte_fs)); }

void occupancy_row(std::string_view name, const sim::occupancy& by) {
  std::string text;
  if (by.packet_ps != 0) text = duration(static_cast<double>(by.packet_ps)) + " a packet";
  if (by.byte_fs != 0) text += (text.empty() ? "" : ", ") + bandwidth_of(by.byte_fs);
  if (!text.empty()) row(name, text);
}

int tell(const std::string& name) {
  const sim::machine m = sim::read_machine(name);
  const auto ps = [](std::int64_t of) { return duration(static_cast<double>(of)); };
  write_output(fmt::format("{}: {}\n", m.name, m.about));
  row("file", one_line(std::filesystem::weakly_canonical(m.file).string()));
  row("PEs", std::to_string(m.pes));
  row("clock", fmt::format("{:.4g} MHz", 1e6 / static_cast<double>(m.clock_ps)));
  row("packet", fmt::format("sent in {}, executed in {}", ps(m.cost.packet_send), ps(m.cost.packet_execute)));
  row("task switch", ps(m.cost.task_switch));
  row("batch",
      fmt::format("sent in {}, received in {}", ps(m.cost.batch_send), ps(m.cost.batch_receive)) +
          (m.cost.batch_byte_fs == 0 ? "" : fmt::format(", {} at each side", bandwidth_of(m.cost.batch_byte_fs))));
  std::string shape;
  for (const int n : m.network.shape) shape += (shape.empty() ? " [" : ", ") + std::to_string(n);
  row("network", fmt::format("{}{}", name_of(m.network.topology), shape.empty() ? "" : shape + "]"));
  row("latency", ps(m.network.latency) + (m.network.link == 0 ? "" : fmt::format(", {} a link", ps(m.network.link))));
  occupancy_row("sender", m.network.sender);
  occupancy_row("link", m.network.wire);
  occupancy_row("receiver", m.network.receiver);
  if (m.node.pes > 1) {
    row("node", fmt::format("{} PEs, {} between them", m.node.pes, ps(m.node.latency)));
    occupancy_row("within a node", m.node.wire);
  }
  std::string protocols;
  for (const auto& [kind, steps] : m.protocols) protocols += (protocols.empty() ? "" : ", ") + kind;
  if (!protocols.empty()) row("by themselves", protocols);
  row("source", m.source);
  return 0;
}

}  // namespace

int machines(const std::string& name) {
  if (!name.empty()) return tell(name);
  const std::vector<std::string> names = sim::machine_names();
  std::size_t width = 0;
  for (const std::string& one : names) width = std::max(width, one.size());
  for (const std::string& one : names) {
    const sim::machine m = sim::read_machine(one);
    write_output(fmt::format("{:<{}} {:>6} PEs  {}\n", one, width, m.pes, m.about));
  }
  return 0;
}

}  // namespace tsubu::command
