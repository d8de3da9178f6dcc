// One file that all PEs write, each its own part of the bytes, and that has its final name when it is whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <string>
#include <vector>

#include "tsubu/containers/saving/disk.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::containers {

// Bytes [begin, end) of a file that is there.
// Local; may block while the disk writes; throws data_file_error.
class shared_file_part {
 public:
  shared_file_part(std::string file, std::uint64_t begin, std::uint64_t end);

  void put(const void* from, std::size_t count) {
    const auto* const first = static_cast<const std::byte*>(from);
    buffer_.insert(buffer_.end(), first, first + count);
    if (buffer_.size() >= block_bytes) write_out();
  }
  // All of them are on the disk. Refuses if they are not as many as the part has.
  void finish();

 private:
  static constexpr std::size_t block_bytes = std::size_t{256} << 10;
  void write_out();
  [[noreturn]] void refuse_count(std::uint64_t put) const;

  const std::string name_;
  const disk::file file_;
  const std::uint64_t begin_, end_;
  std::uint64_t at_;
  std::vector<std::byte> buffer_;
};

// `write` puts this PE's `bytes` behind those of the PEs before it.
// Collective. All bytes have that name, or what had it is as it was and every PE throws data_file_error.
task<void> write_shared_file(std::string name, std::uint64_t bytes, std::function<void(shared_file_part&)> write,
                             std::source_location where);

}  // namespace tsubu::containers
