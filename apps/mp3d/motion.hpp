// A step of one molecule: it flies straight on, but for plate and walls, and comes back out of the reservoir when it
// has left the tunnel.
#pragma once

#include "apps/mp3d/counters.hpp"
#include "apps/mp3d/gas.hpp"

namespace mp3d {

void move(const gas& of, std::int64_t number, std::int64_t step, molecule& m, counters& counted);

}  // namespace mp3d
