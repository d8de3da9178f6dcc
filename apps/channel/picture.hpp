// A picture of a routed channel.
#pragma once

#include <string>

#include "apps/channel/wires.hpp"

namespace channel {

// As an SVG document: the two pairs of layers in two colours, their vertical wires side by side, vias as squares, and
// the numbers of the nets at their pins.
std::string draw(const wiring& laid, const pins& given);

}  // namespace channel
