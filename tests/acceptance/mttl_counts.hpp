// Counting a part of an MTTL program, and running its functions on all nodes.
#pragma once

#include <mpcxx.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/acceptance/tables.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace acceptance {

inline mttl_counts counts_now() {
  const counters c = counted();
  return {c.asend, c.nsend, c.recv, c.payload_bytes, c.header_bytes, c.probe, c.test};
}

// Nothing is in flight on any node when the counts are taken, and nothing is sent before all have taken theirs. The
// barriers are Tsubu's own, which MTTL's counters do not see.
inline mttl_counts begin_counting() {
  tsubu::wait(tsubu::barrier());
  const mttl_counts now = counts_now();
  tsubu::wait(tsubu::barrier());
  return now;
}

// All of the counted part has arrived here, and what others send after it has not been sent yet.
inline mttl_counts end_counting(const mttl_counts& begin) {
  const mttl_counts now = counts_now();
  tsubu::wait(tsubu::barrier());
  return {now.send - begin.send,
          now.isend - begin.isend,
          now.recv - begin.recv,
          now.payload_bytes - begin.payload_bytes,
          now.header_bytes - begin.header_bytes,
          now.probe - begin.probe,
          now.test - begin.test};
}

// f(arguments...) in a thread on every node; the results by node.
template <class R, class... P, class... A>
std::vector<R> on_all_nodes(R (*f)(P...), const A&... arguments) {
  const auto results = std::make_unique<Sync<R>[]>(static_cast<std::size_t>(numNode));
  for (int node = 0; node < numNode; ++node) ainvoke(results[static_cast<std::size_t>(node)], node, f, arguments...);
  std::vector<R> values;
  for (int node = 0; node < numNode; ++node) values.push_back(results[static_cast<std::size_t>(node)].read());
  return values;
}

}  // namespace acceptance
