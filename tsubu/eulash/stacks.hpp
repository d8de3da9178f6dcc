// The stacks of a process's threads: in a range of addresses whose parts say whose they are, so that the address of a
// local variable may be given to any thread.
//
// This process uses them as any memory. The others read and write them by messages, which are executed while none of
// this process's threads runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tsubu/eulash/atomic_change.hpp"
#include "tsubu/eulash/view.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu::placed {

class stacks {
 public:
  // What an earlier job of the process has left goes now. It stays until then: threads that have not ended have records
  // there of what they wait for, at which a PE looks last, and addresses of memory.
  stacks();
  stacks(const stacks&) = delete;
  stacks& operator=(const stacks&) = delete;

  // One of at least so many bytes, with a page out of reach below it. Ends the job if there is no room.
  range take(std::uint64_t bytes);
  void give_back(std::uint64_t bottom);

  // Ends the job unless these bytes are on one of them.
  char* check(std::uint64_t address, std::uint64_t n) const;

 private:
  const range part_;
  std::uint64_t next_;
  std::map<std::uint64_t, std::uint64_t> all_;                // bytes, by their bottoms
  std::map<std::uint64_t, std::vector<std::uint64_t>> free_;  // bottoms, by bytes
};

inline const pe_local<stacks> stacks_here;

// Run by their owner for others.
std::string load_from_stack(std::uint64_t address, std::uint64_t n);
void store_to_stack(std::uint64_t address, std::string bytes);
std::uint64_t change_on_stack(std::uint64_t address, atomic_change change);

}  // namespace tsubu::placed
