// Which files a job reads, and which bytes of them each PE has.
//
// The files lie one behind the other, as if they were one; parts of that are dealt in the order of the PEs. What a part
// is does not depend on where lines end, so nobody has to ask another PE.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tsubu/containers/files/error.hpp"
#include "tsubu/remote/memory/parts.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::containers {

// How the bytes of a file are packed. Such a file has no parts that could be read by themselves.
enum class compression : std::uint8_t { none, gzip, zstd };

// A file, and how long it was when it was listed. `written_as` is what the list of its folder says that is in it, if
// one tells of it.
struct listed_file {
  std::string name;
  std::uint64_t size = 0;
  compression packed_by = compression::none;
  std::string written_as = {};

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, size, packed_by, written_as);
  }
};

// The bytes begin <= i < end of a file; all, if it is packed.
struct file_piece {
  std::string name;
  std::uint64_t size, begin, end;
  compression packed_by;
};

// The files of each name; those that match it, in the order of their names, where there is none of that name itself.
// A folder with a list of part files (written_folder.hpp) stands for these. Throws data_file_error of what is not there
// or is no regular file.
std::vector<listed_file> list_files(const std::vector<std::string>& patterns);

// What of the files lies in that part of all their bytes, and the packed files that begin there. No piece is empty.
std::vector<file_piece> pieces_of(const std::vector<listed_file>& files, const remote::part& part);

// Those of all PEs. Collective; blocks until PE 0 has looked for them; throws data_file_error as list_files(), on every
// PE.
task<std::vector<listed_file>> files_of_all_pes(std::vector<std::string> patterns);

// What asks for texts, for errors, and as what the list of a folder must say that they were written.
struct text_reader {
  std::string_view name, reads;
};

// The pieces of this PE, of texts. Collective; blocks until PE 0 has looked for the files; throws data_file_error as
// list_files(), and of files that were written as something else, on every PE.
task<std::vector<file_piece>> pieces_of_this_pe(std::vector<std::string> patterns, text_reader by);

}  // namespace tsubu::containers
