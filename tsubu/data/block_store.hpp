// The memory that a PE may use for its shared arrays, and a file for what does not fit.
//
// An array that fits what is left when it is made stays in memory. Of others, blocks are in memory that were used last;
// the others lie in the file. Reading and writing it blocks the PE, as the file behind messages does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "tsubu/data/settings.hpp"
#include "tsubu/message/spill_file.hpp"

namespace tsubu::data {

class block_store {
 public:
  static constexpr std::size_t block_bytes = 64 * 1024;
  static constexpr std::size_t least_blocks = 4;  // in memory, whatever the limit

  // A block of an array. It is in memory, or in the file, or nobody has used it yet.
  struct block {
    std::unique_ptr<std::byte[]> memory;
    block* newer = nullptr;  // in memory: the one that was used after it
    block* older = nullptr;
    std::optional<message::spill_file::place> in_file;
  };

  explicit block_store(const space_settings& limits) : limits_(limits) {}
  ~block_store();
  block_store(const block_store&) = delete;
  block_store& operator=(const block_store&) = delete;

  // Memory for a whole array, if it fits. release() gives it back.
  bool reserve(std::size_t bytes);
  void release(std::size_t bytes) { reserved_ -= bytes; }

  // Brings a block into memory; true if it has no contents yet. Another one may go to the file for it.
  bool bring(block& b);
  // It has been used.
  [[gnu::always_inline]] void touch(block& b) {
    if (&b != newest_) move_to_front(b);
  }
  // Its array ends.
  void drop(block& b);

  std::uint64_t blocks_written() const { return written_; }
  std::uint64_t blocks_read() const { return read_; }

 private:
  void move_to_front(block& b);
  void add_to_front(block& b);
  void unlink(block& b);
  void write_oldest();

  const space_settings limits_;
  std::size_t reserved_ = 0;
  std::size_t in_memory_ = 0;  // blocks
  block* newest_ = nullptr;
  block* oldest_ = nullptr;
  std::unique_ptr<message::spill_file> file_;
  std::uint64_t written_ = 0;
  std::uint64_t read_ = 0;
};

}  // namespace tsubu::data
