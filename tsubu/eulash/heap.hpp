// What a process has allocated of its part of the shared memory, and which variables of the data layer its blocks are.
//
// An allocation is cut into blocks. A block is this process's own, and each of its lines writable here, until another
// process asks for it: then it becomes a variable, whose home is here. What is freed ends its variables first, so that
// no other process has anything of it, and is allocated again after that.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "tsubu/data/key.hpp"
#include "tsubu/data/protocol.hpp"
#include "tsubu/eulash/view.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::placed {

// What another process is told of an allocation, and of so many of its blocks, from the one that it asked for.
struct told_allocation {
  std::uint64_t first = 0;  // offset
  std::uint64_t bytes = 0;
  std::uint32_t block_bytes = 0;  // 0: there is none
  std::uint32_t first_told = 0;
  protocol how = protocol::global;
  std::vector<data::key> keys;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(first, bytes, block_bytes, first_told, how, keys);
  }
};

struct allocation {
  std::uint64_t bytes;  // lines, all of them
  std::uint64_t asked;  // bytes
  std::uint32_t block_bytes;
  bool ends = false;
  const eulash_site* site;
  protocol how;                 // a profile may have changed it
  std::vector<data::key> keys;  // of the blocks that are variables; empty while none is

  std::uint64_t block_of(std::uint64_t inside) const { return inside / block_bytes; }
};

class heap {
 public:
  heap();

  // The offset, a multiple of `alignment`, which is a power of two; or nowhere. Its lines are writable here.
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};
  std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment, const eulash_site& site, bool zeroed);
  // So many does an allocation take.
  static std::uint64_t bytes_taken(std::uint64_t bytes);
  // What is at that offset: where it begins, and it. Null if nothing is.
  struct found {
    std::uint64_t first = 0;
    allocation* of = nullptr;
  };
  found find(std::uint64_t offset);
  // Awaited. Who frees what does not begin there, or twice, ends the job.
  task<void> release(std::uint64_t first, pe_id who);

  // For another process: from now on the block there is a variable, and some blocks behind it.
  told_allocation tell(std::uint64_t offset);

 private:
  std::uint64_t take(std::uint64_t lines, std::uint64_t alignment);
  data::key key_of(std::uint64_t first, allocation& of, std::uint64_t block_number);

  const range part_;
  std::uint64_t next_;                                        // from here on nothing was ever allocated
  std::map<std::uint64_t, allocation> allocations_;           // by their first offsets
  std::map<std::uint64_t, std::vector<std::uint64_t>> free_;  // first offsets, by bytes
};

inline const pe_local<heap> heaps;

// For reports: `40 bytes of "rows" (prog.c:12)`.
std::string describe(const allocation& of);

}  // namespace tsubu::placed
