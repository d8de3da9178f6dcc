// Files of machines: the text of one. Of a machine that is read, a job of some PEs can be laid out.
#include "tsubu/sim/machine.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/fuzz/input.hpp"
#include "tsubu/sim/shape.hpp"
#include "tsubu/sim/topology.hpp"

namespace tsubu::fuzz {

void read_input(bytes input) {
  const sim::machine m = sim::parse_machine(std::string(text_of(input)), "machines/em4.toml");
  expect(m.pes >= 1 && m.pes <= sim::room_for(m), "more PEs than the machine has room for");
  expect(m.clock_ps >= 0 && m.cost.look >= 1, "a step that takes no time");
  const int pes = std::min(m.pes, 1000);
  sim::check_pes(m, pes);
  const sim::topology laid(m, pes);
  for (const int pe : {0, pes / 2, pes - 1}) {
    std::vector<int> links;
    laid.route(0, pe, links);
    for (const int link : links) expect(link >= 0 && link < laid.links(), "a link that there is not");
    const int next = laid.neighbour(pe, 0, pes);
    expect(next >= 0 && next < pes, "a neighbour that there is not");
  }
}

}  // namespace tsubu::fuzz
