// Whether wires are a legal routing of a channel: painted cell by cell, from pins and wires alone. It knows nothing of
// how the places were found, nor of the constraints that they were found under.
#pragma once

#include <string>

#include "apps/channel/wires.hpp"

namespace channel {

// What is wrong, in a line; empty if nothing is. Legal is what keeps to this:
//   - wires are inside the channel, horizontal ones on tracks, and belong to a net that has pins;
//   - no cell of a layer is of two nets; so horizontal wires that share a column are on different tracks or pairs, and
//     of a column's two pins on one pair the upper one's wire ends above the lower one's;
//   - a wire that comes to an edge finds a pin of its net there;
//   - a via joins two layers that both are its net's there;
//   - all pins of a net are connected with each other, and every wire of it with them: by cells that two wires share,
//   by
//     vias, and at pins.
std::string trouble_of(const wiring& laid, const pins& given);

// How many tracks carry wires.
int tracks_used(const wiring& laid);

}  // namespace channel
