// Which blocks each thread of a profiled program uses, so that the next build can put threads together that use the
// same ones. Threads are told by the order in which the program has created them, main being number 0.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "tsubu/remote/pe_local.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::placed {

struct use_of_block {
  std::uint64_t accesses = 0, writes = 0;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(accesses, writes);
  }
};
using uses_of_blocks = std::map<std::pair<std::uint64_t, std::uint64_t>, use_of_block>;  // by block, and thread

// What the threads of this process have used.
struct thread_uses {
  uses_of_blocks all;
};
inline const pe_local<thread_uses> uses_here;

// The thread that runs accesses the block there.
void note_use(std::uint64_t block, bool writes);

// Awaited at process 0, when the program has ended: of all threads, as a part of the profile. How much each two share
// is the sum over the blocks that one of both writes, of the accesses of the one that has fewer.
task<std::string> text_of_uses();

}  // namespace tsubu::placed
