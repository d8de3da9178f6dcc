// What a process knows of the blocks of shared memory: of its own from its heap, of others' what their homes have told.
//
// What it was told stays right until the home frees the memory: the variable has then ended, which an access finds out
// (data::variable_ended), and asks again.
#pragma once

#include <cstdint>
#include <map>

#include "tsubu/data/key.hpp"
#include "tsubu/eulash/heap.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu::placed {

// A block as a thread of this process sees it.
struct known_block {
  std::uint64_t first = 0;
  std::uint32_t bytes = 0;  // 0: nothing is known
  data::key key;            // none: it is of this process, and nobody else has asked for it
  protocol how = protocol::global;
};

class directory {
 public:
  // The block that holds the offset, as far as it is known here.
  known_block look(std::uint64_t offset);
  void learn(const told_allocation& told);
  // What was told has ended.
  void forget(std::uint64_t offset);

 private:
  struct others {
    std::uint64_t bytes;
    std::uint32_t block_bytes;
    protocol how;
    std::vector<data::key> keys;
  };
  std::map<std::uint64_t, others> others_;  // by their first offsets
};

inline const pe_local<directory> directories;

}  // namespace tsubu::placed
