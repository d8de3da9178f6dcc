// Executes the register language: sequences of instructions, on the node's memory and its texts and arrays.
//
// A sequence runs from where it is told to begin to its end; nothing comes in between. One instruction takes a clock;
// the surroundings are told the clocks before anything leaves, and when somebody flushes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "abcl/machine/heap.hpp"
#include "abcl/machine/held_packets.hpp"
#include "abcl/machine/instruction.hpp"
#include "abcl/machine/node_memory.hpp"
#include "abcl/machine/services.hpp"
#include "abcl/machine/surroundings.hpp"
#include "abcl/machine/word.hpp"
#include "abcl/registers/link.hpp"

namespace abcl::machine {

using registers::image;
class recorder;

// What a collector has done: how often it has swept, how many packets it had to mark something, how many objects it has
// found that nobody can reach; and the instructions, which are among all.
struct collector_counts {
  std::uint64_t sweeps = 0, marks = 0, freed = 0, in_marks = 0, in_sweeps = 0, in_others = 0;
};
// What has been executed, for tests and statistics.
struct counts {
  std::uint64_t instructions = 0, packets = 0, writes = 0, sends = 0, stores = 0, loads = 0;
  collector_counts collector;
};

class execution_unit {
 public:
  execution_unit(int node, surroundings& outside);
  execution_unit(const execution_unit&) = delete;
  execution_unit& operator=(const execution_unit&) = delete;

  node_memory memory;
  heap values;
  held_packets held;
  counts done;

  // More code, of which the present is a part.
  void use(std::shared_ptr<const image> more);
  const image& code() const { return *image_; }
  // Where a sequence has nothing to do but to end.
  std::uint32_t end_at() const;

  struct sequence {
    std::uint32_t at;
    std::uint32_t object = 0;  // its segment; 0: the node executes it
    word r0 = 0, r1 = 0;       // what it begins with
    int sent_at = -1;          // the site of the message: what has none of its own fails there
  };
  // An exception of surroundings::fail() comes out of it. `told`: is told of the instructions, if there is one.
  void run(const sequence& s, recorder* told);

  // While the flag is set, what loops or calls fails. It may be set from anywhere, at any time.
  void watch(const std::atomic<bool>& asked_to_stop) { asked_to_stop_ = &asked_to_stop; }
  // From now on nothing is executed.
  void stop() { stopped_ = true; }
  bool has_stopped() const { return stopped_; }

  void takes(std::uint64_t clocks) { clocks_ += clocks; }
  std::uint64_t untold_clocks() const { return clocks_; }
  // Tells the clocks that have not been told.
  void flush();

 private:
  template <bool recorded, bool watched>
  void steps(const sequence& s, recorder* told);
  void call(const instruction& i, std::uint32_t from);
  void collect_within_sequence();
  [[noreturn]] void fail(const instruction& i, int sent_at, const std::string& what);

  const int node_;
  surroundings& outside_;
  std::shared_ptr<const image> image_;
  std::vector<instruction> code_;  // the image's
  services services_;
  std::vector<std::uint32_t> calls_;  // where functions go back to, and the frame there, by turns
  std::vector<word> stack_;           // the frames of functions
  word registers_[registers_in_all] = {};
  std::uint64_t clocks_ = 0;  // not yet told
  int turn_ = 0;              // of neighbours
  bool stopped_ = false;
  const std::atomic<bool>* asked_to_stop_ = nullptr;
};

}  // namespace abcl::machine
