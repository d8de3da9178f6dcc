// What a simulated job took, and where its time went: as a table, and as JSON for programs.
#pragma once

#include <string>

#include "tsubu/sim/engine.hpp"

namespace tsubu::sim {

// What the host spent on it.
struct host_cost {
  double seconds = 0;
};

std::string table(const engine& e, const machine& m, const host_cost& host);
std::string json(const engine& e, const machine& m, const host_cost& host);
inline constexpr const char* json_begins = "{\"machine\": ";

}  // namespace tsubu::sim
