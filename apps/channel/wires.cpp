#include "apps/channel/wires.hpp"

namespace channel {
namespace {

void join_pins(const pins& given, const net& n, place at, int lower_edge, wiring& to) {
  const int row = at.track + 1;
  for (std::size_t column = n.first; column <= n.last; ++column) {
    const bool above = given.top[column] == n.number, below = given.bottom[column] == n.number;
    if (!above && !below) continue;
    to.vertical.push_back({n.number, at.pair, column, column, above ? 0 : row, below ? lower_edge : row});
    to.vias.push_back({n.number, at.pair, column, row});
  }
}

}  // namespace

wiring lay_wires(const pins& given, const std::vector<net>& nets, const std::vector<place>& places, int tracks) {
  wiring laid;
  laid.tracks = tracks;
  for (std::size_t i = 0; i < nets.size(); ++i) {
    const net& n = nets[i];
    const int row = places[i].track + 1;
    laid.horizontal.push_back({n.number, places[i].pair, n.first, n.last, row, row});
    join_pins(given, n, places[i], tracks + 1, laid);
  }
  return laid;
}

}  // namespace channel
