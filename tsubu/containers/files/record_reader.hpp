// The records of one size that a PE has of files, one after the other: what records() (records.hpp) makes its range of.
//
// The files lie one behind the other, and parts of all their records are dealt in the order of the PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tsubu/containers/files/piece_reader.hpp"
#include "tsubu/remote/memory/parts.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::containers {

// What of the files lies in that part of all their records, which have `bytes` each. No piece is empty.
std::vector<file_piece> record_pieces(const std::vector<listed_file>& files, std::uint64_t bytes,
                                      const remote::part& part);

// Local; next() may block while the disk reads; throws data_file_error of what cannot be read, and where a file is no
// longer as long as it was.
class record_reader {
 public:
  record_reader(std::vector<file_piece> pieces, std::size_t bytes) : reader_(std::move(pieces)), bytes_(bytes) {}

  // The bytes of the next record, good until the one behind it is asked for; they lie anywhere. Null: there is none.
  const char* next() {
    if ((reader_.size() < bytes_ || reader_.behind_piece()) && !fill()) return nullptr;
    const char* const record = reader_.data();
    reader_.take(bytes_);
    return record;
  }
  // Which one it is in its file, for a message: "points.bin: record 12".
  std::string place() const;

 private:
  bool fill();

  piece_reader reader_;
  std::size_t bytes_;
};

// The reader of this PE's share.
// Collective; blocks until PE 0 has looked for the files; throws data_file_error, on every PE, as
// list_files(), of a file that is no whole number of records, and of one that was written as something else.
task<record_reader> read_records(std::vector<std::string> patterns, std::size_t bytes);

}  // namespace tsubu::containers
