#include "tsubu/containers/files/record_reader.hpp"

#include <algorithm>
#include <utility>

#include "tsubu/containers/files/written_folder.hpp"

namespace tsubu::containers {
namespace {

void refuse_others(const std::vector<listed_file>& files, std::size_t bytes) {
  const std::string expected = type_of_records(bytes);
  for (const auto& [name, size, packed_by, written_as] : files) {
    if (!written_as.empty() && written_as != expected)
      disk::refuse(name, "was written as " + written_as + ", and is read as " + expected);
    if (size % bytes != 0)
      disk::refuse(name, "has " + std::to_string(size) + " bytes, which is no whole number of " + expected);
  }
}

}  // namespace

std::vector<file_piece> record_pieces(const std::vector<listed_file>& files, std::uint64_t bytes,
                                      const remote::part& part) {
  std::vector<file_piece> pieces;
  std::uint64_t before = 0;
  for (const listed_file& file : files) {
    const std::uint64_t behind = before + file.size / bytes;
    const auto byte_of = [&](std::uint64_t record) { return (std::clamp(record, before, behind) - before) * bytes; };
    const std::uint64_t begin = byte_of(part.from()), end = byte_of(part.to());
    // Never unpacked: a file of records may begin with the bytes by which a packed one is known.
    if (begin < end) pieces.push_back({file.name, file.size, begin, end, compression::none});
    before = behind;
  }
  return pieces;
}

// There is not a whole record, or it is the next piece's.
bool record_reader::fill() {
  for (;;) {
    while (reader_.behind_piece()) {
      if (!reader_.open_next()) return false;
    }
    if (reader_.size() >= bytes_) return true;
    reader_.more();
  }
}

std::string record_reader::place() const {
  return reader_.piece().name + ": record " + std::to_string(reader_.offset() / bytes_);
}

task<record_reader> read_records(std::vector<std::string> patterns, std::size_t bytes) {
  const std::vector<listed_file> files = co_await files_of_all_pes(std::move(patterns));
  refuse_others(files, bytes);
  std::uint64_t all = 0;
  for (const listed_file& file : files) all += file.size / bytes;
  co_return record_reader(record_pieces(files, bytes, part_of(all)), bytes);
}

}  // namespace tsubu::containers
