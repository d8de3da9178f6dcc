// The gas on all PEs, by one of the ways to bring molecules and cells together:
//
//   messages  a molecule stays on one PE, a cell on another. In each step a molecule is a message to its cell, and
//             comes back as one if it has collided.
//   shared    molecules and cells are shared variables, an array of each, under one of the protocols
//             (tsubu/data/protocol.hpp).
#pragma once

#include <cstdint>
#include <memory>

#include "apps/mp3d/counters.hpp"
#include "apps/mp3d/gas.hpp"
#include "tsubu/data/protocol.hpp"
#include "tsubu/task/task.hpp"

namespace mp3d {

// What a run comes to.
struct outcome {
  counters counted;
  std::int64_t in_stream = 0;  // molecules, after the last step
  std::uint64_t digest = 0;    // of all molecules

  outcome() = default;
  outcome(const counters& c, std::int64_t molecules_in_stream, std::uint64_t of_all)
      : counted(c), in_stream(molecules_in_stream), digest(of_all) {}
  friend outcome operator+(const outcome& a, const outcome& b) {
    return {a.counted + b.counted, a.in_stream + b.in_stream, a.digest + b.digest};
  }
  friend bool operator==(const outcome&, const outcome&) = default;
};

class simulation {
 public:
  virtual ~simulation() = default;

  // The next one. Collective; when it returns on a PE, all of the step has happened on that PE.
  virtual tsubu::task<void> step() = 0;
  // This PE's part; the sum of all is that of the run. Collective.
  virtual tsubu::task<outcome> part() = 0;
};

// Local. One at a time in a job.
std::unique_ptr<simulation> make_message_simulation(const gas& of);

// Collective.
tsubu::task<std::unique_ptr<simulation>> make_shared_simulation(gas of, tsubu::protocol how);

}  // namespace mp3d
