// A file for what no longer fits in memory: whole buffers go in and come out, in any order.
//
// The file has no name and ends with the process. It lies in TMPDIR, or in /tmp. What the disk refuses
// ends the job.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tsubu::message {

class spill_file {
 public:
  // Where some bytes lie: as many slots as they need, anywhere in the file.
  using place = std::vector<std::uint32_t>;

  // `what` lies in it: for errors, a text that stays.
  explicit spill_file(std::size_t slot_bytes, const char* what = "messages that wait for room")
      : slot_bytes_(slot_bytes), what_(what) {}
  ~spill_file();
  spill_file(const spill_file&) = delete;
  spill_file& operator=(const spill_file&) = delete;

  // Blocks until the bytes are with the system.
  place write(std::span<const std::byte> bytes);

  // Reads the beginning of what write() was given there.
  void read(const place& from, std::span<std::byte> to) const;
  // Reads it whole, and gives its place free.
  void take(const place& from, std::span<std::byte> to);
  void give_free(const place& from);

  // In use, in whole slots.
  std::uint64_t bytes() const { return (slots_ - free_.size()) * std::uint64_t{slot_bytes_}; }

 private:
  void open();

  [[noreturn]] void refused(const char* to_do) const;

  std::size_t slot_bytes_;
  const char* what_;
  int file_ = -1;
  std::uint32_t slots_ = 0;
  std::vector<std::uint32_t> free_;
};

}  // namespace tsubu::message
