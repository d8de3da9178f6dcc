#include "abcl/machine/statistics.hpp"

#include <fmt/format.h>

namespace abcl::machine {
namespace {

std::string line(const std::string& name, const node_counts& n) {
  const counts& c = n.done;
  return fmt::format("{:<5} {:>15} {:>13} {:>13} {:>13} {:>13} {:>9}\n", name, c.instructions, c.packets, c.sends,
                     c.stores, c.loads, n.objects);
}

void add(const collector_counts& n, collector_counts& to) {
  to.sweeps += n.sweeps;
  to.marks += n.marks;
  to.freed += n.freed;
  to.in_marks += n.in_marks;
  to.in_sweeps += n.in_sweeps;
  to.in_others += n.in_others;
}

// Nothing, if nobody has collected.
std::string shown(const collector_counts& c, std::size_t nodes) {
  if (c.sweeps == 0) return {};
  return fmt::format(
      "collected {} times: {} objects, {} marks; instructions in marks {}, in sweeps {}, for roots and rounds {}\n",
      c.sweeps / nodes, c.freed, c.marks, c.in_marks, c.in_sweeps, c.in_others);
}

}  // namespace

std::string shown(const std::vector<node_counts>& nodes) {
  std::string text = fmt::format("{:<5} {:>15} {:>13} {:>13} {:>13} {:>13} {:>9}\n", "node", "instructions", "packets",
                                 "sends", "stores", "loads", "objects");
  node_counts sum;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const node_counts& n = nodes[i];
    text += line(fmt::format("{}", i), n);
    sum.done.instructions += n.done.instructions;
    sum.done.packets += n.done.packets;
    sum.done.sends += n.done.sends;
    sum.done.stores += n.done.stores;
    sum.done.loads += n.done.loads;
    sum.objects += n.objects;
    add(n.done.collector, sum.done.collector);
  }
  if (nodes.size() > 1) text += line("all", sum);
  return text + shown(sum.done.collector, nodes.size());
}

}  // namespace abcl::machine
