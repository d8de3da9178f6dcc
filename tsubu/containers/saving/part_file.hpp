// A part file: what one PE had of a container, element behind element, as the bytes by which they travel; or what it
// has written of a table, row behind row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tsubu/containers/saving/disk.hpp"
#include "tsubu/wire/value.hpp"

namespace tsubu::containers {

// What the list of a saved state tells of a part, which is whole if its file has it.
struct saved_part {
  std::uint64_t elements = 0, bytes = 0, checksum = 0;
};

// XXH3 of bytes, in 64 bits; of some that come one behind the other.
class checksum {
 public:
  checksum();
  ~checksum();
  checksum(const checksum&) = delete;
  checksum& operator=(const checksum&) = delete;
  void add(const void* bytes, std::size_t count);
  std::uint64_t value() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

// A new file that elements are put into.
// Local; may block while the disk writes; throws data_file_error.
class part_writer {
 public:
  explicit part_writer(std::string file);

  // These bytes, as they are.
  void put_bytes(const void* from, std::size_t count) {
    const auto* const first = static_cast<const std::byte*>(from);
    buffer_.insert(buffer_.end(), first, first + count);
  }
  template <class T>
  void put(const T& value) {
    wire::put(to_buffer_, value);
  }
  void end_element() {
    ++written_.elements;
    if (buffer_.size() >= block_bytes) write_out();
  }
  // How many there are.
  std::uint64_t elements() const { return written_.elements; }
  // The element that comes now cannot be written.
  [[noreturn]] void refuse(std::string_view why) const { disk::refuse(name_, why); }
  // All of it is on the disk.
  saved_part finish();

 private:
  static constexpr std::size_t block_bytes = std::size_t{256} << 10;
  void write_out();

  const std::string name_;
  disk::file file_;
  saved_part written_;
  checksum sum_;
  std::vector<std::byte> buffer_;
  wire::writer to_buffer_{buffer_};
};

// The bytes of a part, which are those that were written. `list` is the file that tells of it.
// Throws data_file_error.
std::vector<std::byte> read_part(const std::string& file, const saved_part& expected, const std::string& list);

}  // namespace tsubu::containers
