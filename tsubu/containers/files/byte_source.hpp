// The bytes of a file, one behind the other: as they are in the file, or as gzip or zstd had them before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "tsubu/containers/files/file_list.hpp"

namespace tsubu::containers {

class byte_source {
 public:
  byte_source() = default;
  byte_source(const byte_source&) = delete;
  byte_source& operator=(const byte_source&) = delete;
  virtual ~byte_source() = default;

  // The next n bytes, or fewer; none at the end. Throws data_file_error of what cannot be read or is damaged, and where
  // the file is no longer as long as it was listed.
  virtual std::size_t read(char* to, std::size_t n) = 0;
};

// Those of the piece's file, from that one on, up to the end of the file. Throws data_file_error.
std::unique_ptr<byte_source> open_bytes(const file_piece& of, std::uint64_t from);

}  // namespace tsubu::containers
