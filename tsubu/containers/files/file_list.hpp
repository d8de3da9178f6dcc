// Which files a job reads, and which bytes of them each PE has.
//
// The files lie one behind the other, as if they were one; parts of that are dealt in the order of the PEs. What a part
// is does not depend on where lines end, so nobody has to ask another PE.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tsubu/containers/files/error.hpp"
#include "tsubu/remote/memory/parts.hpp"

namespace tsubu::containers {

// A file, and how long it was when it was listed.
using listed_file = std::pair<std::string, std::uint64_t>;

// The bytes begin <= i < end of a file.
struct file_piece {
  std::string name;
  std::uint64_t size, begin, end;
};

// The files of each name; those that match it, in the order of their names, where there is none of that name itself.
// Throws data_file_error of what is not there, is no regular file, or is compressed.
std::vector<listed_file> list_files(const std::vector<std::string>& patterns);

// What of the files lies in that part of all their bytes. No piece is empty.
std::vector<file_piece> pieces_of(const std::vector<listed_file>& files, const remote::part& part);

}  // namespace tsubu::containers
