// What a simulated run is bound by, in a few words, from what its report adds up to.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tsubu/sim/machine.hpp"

namespace tsubu::command {

struct verdict {
  std::string by;       // "computing", "the node's cable", ..
  std::string reason;   // by how much: "busy 93 %" of the time, or a part of all PEs' time: "55 %"
  double batches = 0;   // what handing over and taking batches costs, of all PEs' time
  double messages = 0;  // the same of sending and executing messages
};

// `run`: summary_of() a report on that machine. A cable or another link that is busy for three fifths of the time and
// more is it; else, where PEs rest for less than half of it, what they do most; else one PE for which the others wait,
// or the latency of messages, one after the other.
verdict verdict_of(const nlohmann::ordered_json& run, const sim::machine& on);

}  // namespace tsubu::command
