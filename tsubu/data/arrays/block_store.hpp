// The memory that a PE may use for its shared arrays, and a file for what does not fit.
//
// An array that fits what is left when it is made stays in memory. Of others, blocks are in memory that were used last;
// the others lie in the memory of other PEs (loans.hpp) or, where that has no room, in the file. Reading and writing it
// blocks the PE, as the file behind messages does. A block that another PE has must be awaited.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "tsubu/base/owned.hpp"
#include "tsubu/data/settings.hpp"
#include "tsubu/message/spill_file.hpp"

namespace tsubu::data {

class block_store {
 public:
  static constexpr std::size_t block_bytes = 64 * 1024;
  static constexpr std::size_t least_blocks = 4;  // in memory, whatever the limit

  // A block of an array. It is in memory, or in the file, or another PE has it, or nobody has used it yet.
  struct block {
    detail::owned_array<std::byte> memory;
    block* newer = nullptr;  // in memory: the one that was used after it
    block* older = nullptr;
    std::optional<message::spill_file::place> in_file;
    std::uint64_t loan = 0;       // the number of what another PE has
    std::uint32_t under_way = 0;  // accesses to its elements that have begun: it goes to no other PE
  };

  // The memory of other PEs, and their blocks that are here.
  class other_pes {
   public:
    // Takes the contents, if anybody has room, and numbers the loan.
    virtual bool lend(block& b) = 0;
    // The array of a block that another PE has ends.
    virtual void forget(block& b) = 0;
    // Little memory is left.
    virtual void ask_for_room() = 0;
    // Sends back the block of another PE that has been here longest.
    virtual void return_oldest_guest() = 0;

   protected:
    ~other_pes() = default;
  };

  // `others`: null for a PE that is alone. It is not used before the first block is.
  explicit block_store(const space_settings& limits, other_pes* others = nullptr) : limits_(limits), others_(others) {}
  ~block_store();
  block_store(const block_store&) = delete;
  block_store& operator=(const block_store&) = delete;

  // Memory for a whole array, if it fits. release() gives it back.
  bool reserve(std::size_t bytes);
  void release(std::size_t bytes) { reserved_ -= bytes; }

  // Brings a block that no other PE has into memory; true if it has no contents yet. Another one may leave for it.
  bool bring(block& b);
  // The contents of a block that another PE had: to memory, if they were asked for, or there is room.
  void take_back(block& b, std::span<const std::byte> contents, bool asked_for);
  // It has been used.
  [[gnu::always_inline]] void touch(block& b) {
    if (&b != newest_) move_to_front(b);
  }
  // Its array ends.
  void drop(block& b);
  // The job ends: other PEs hear no more of what they have.
  void leave_others() { others_ = nullptr; }

  // Blocks of other PEs that could be here.
  std::size_t room_for_guests() const;
  void guest_comes() { ++guests_; }
  void guest_leaves() { --guests_; }

  std::uint64_t blocks_written() const { return written_; }
  std::uint64_t blocks_read() const { return read_; }

 private:
  // Blocks that fit beside the arrays that are in memory as a whole.
  std::size_t most_blocks() const {
    return (limits_.memory_bytes - std::min(limits_.memory_bytes, reserved_)) / block_bytes;
  }
  detail::owned_array<std::byte> room_for_one();
  detail::owned_array<std::byte> remove_oldest();
  void move_to_front(block& b);
  void add_to_front(block& b);
  void unlink(block& b);
  void write(block& b, std::span<const std::byte> contents);

  const space_settings limits_;
  other_pes* others_;
  std::size_t reserved_ = 0;
  std::size_t in_memory_ = 0;  // blocks
  std::size_t guests_ = 0;     // of other PEs, beside them
  block* newest_ = nullptr;
  block* oldest_ = nullptr;
  detail::owned<message::spill_file> file_;
  std::uint64_t written_ = 0;
  std::uint64_t read_ = 0;
};

}  // namespace tsubu::data
