// Fetching what a thread is about to need: who finds one block after the other not here gets the next ones before it
// asks.
#pragma once

#include <array>
#include <cstdint>

#include "tsubu/eulash/directory.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::placed {

// Its bytes come here, under protocols that let them, and its lines are marked; if it was freed meanwhile, nothing is
// done. Awaited.
task<void> fetch_block(known_block b, bool to_write);

class prefetcher {
 public:
  // A thread has found the block not here, to read or to write. Does not wait.
  void missed(const known_block& b, bool writes);
  // A loop reads all from `begin` to `end` next, offsets, all of which is here or not. If it goes on where one has
  // ended, and has to wait, what follows is fetched too. Does not wait.
  void walks(std::uint64_t begin, std::uint64_t end, bool is_here);

 private:
  // Misses that follow each other: blocks from `begin` on are under way or here, up to `end`.
  struct stream {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint32_t blocks = 0;  // fetched at a time: twice as many each time
    bool writes = false;
  };
  void fetch_behind(stream& s);
  struct walk {
    std::uint64_t end = 0;      // of what was read
    std::uint64_t fetched = 0;  // of what is under way or here
    std::uint32_t blocks = 0;   // fetched ahead: twice as many where some of these were not here, else half as many
  };

  // As many as a radix sort has digits: each of these is where a thread writes one block after the other.
  std::array<stream, 512> streams_{};
  std::size_t oldest_ = 0;
  std::array<walk, 16> walks_{};
  std::size_t oldest_walk_ = 0;
  std::uint32_t loops_to_look_at_ = 0;  // after one that has found something not here
};

inline const pe_local<prefetcher> prefetchers;

}  // namespace tsubu::placed
