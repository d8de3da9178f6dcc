// What a process has of the shared memory, and what it may do to each line of it without asking.
//
// A line is marked only when the data layer has just said that its block may be read or written here, and loses its
// mark whenever the block's bytes leave this process, or what it had of the block is given up (block.hpp).
//
// Where the processes use one memory, all of them have that, and nothing is marked: no access asks.
#pragma once

#include <cstdint>
#include <cstring>

#include "tsubu/eulash/layout.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu::placed {

enum class line_state : std::uint8_t { unknown, readable, writable };

class view {
 public:
  view();
  ~view();
  view(const view&) = delete;
  view& operator=(const view&) = delete;

  char* at(std::uint64_t offset) const { return data_ + offset; }
  // Whether all lines of these bytes may be used so; n > 0.
  bool may(line_state how, std::uint64_t offset, std::uint64_t n) const;
  void mark(std::uint64_t offset, std::uint64_t n, line_state how) const;

  // The thread that runs goes on in this process: what it does through memory.h finds this view.
  void enter() const { eulash_view = where.one_memory() ? nullptr : data_; }

  const pe_id me;
  const layout where;
  // Where a profile is recorded nothing is marked, so that each access goes to the data layer, which counts it; and
  // where races are looked for, so that no loop holds what it does not tell.
  const bool marks;

 private:
  void map() const;
  std::uint8_t* state_of_line(std::uint64_t line) const { return reinterpret_cast<std::uint8_t*>(data_) - 1 - line; }
  char* const data_;
};

// As mark() does with nothing known, of a view that may have gone with its process.
void unmark_lines(char* data, std::uint64_t offset, std::uint64_t n);

inline const pe_local<view> views;

bool records_a_profile();

}  // namespace tsubu::placed
