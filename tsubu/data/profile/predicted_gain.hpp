// How much sooner a job would end with other protocols.
//
// A PE that waits less for shared data comes sooner to the next meeting of all PEs; there it waits for who comes last.
// So a phase between two meetings gets shorter by as much as its last PE comes sooner, and not by what all have waited.
// What a PE waits shrinks as the cost of what it waits for. Where a PE has to wait more, in the place of others that
// waited before, nobody has seen how long that takes: each round trip is taken as the shortest wait that was seen, the
// messages at their assumed figure. Where the gain hangs on that, or on what else nobody knows, the prediction says so.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tsubu/data/profile/history.hpp"
#include "tsubu/data/profile/phases.hpp"

namespace tsubu::data {

// What a PE has waited for shared data, and what the messages were that it waited for.
struct pe_waits {
  waited waited_ns{};                               // at any time
  waited between_meetings_ns{};                     // of it
  std::int64_t shortest_ns = 0;                     // wait for another PE; 0: there was none
  std::uint64_t phases = 0;                         // between meetings, one more than those
  std::uint64_t order = 0;                          // of the meetings, as phases have it
  std::vector<phase> kept{};                        // of its phases
  std::array<traffic, wait_kinds> spent{}, then{};  // and what it would be with the other protocols
};

struct predicted_gain {
  std::int64_t ns = 0;          // below 0: the job would take longer
  std::int64_t at_most_ns = 0;  // whatever else is not known
  std::string why_not = {};     // why `ns` may be more than a quarter off; empty: nothing is known against it
};

// The waits of all PEs, of at least one.
predicted_gain predict_gain(const std::vector<pe_waits>& of_pes);

}  // namespace tsubu::data
