#include "tsubu/containers/files/file_list.hpp"

#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "tsubu/containers/files/written_folder.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu::containers {
namespace {

[[noreturn]] void refuse(const std::string& name, std::string_view why) {
  throw data_file_error(name + ": " + std::string(why));
}

std::string reason_of(int error) { return std::generic_category().message(error); }

std::vector<std::string> names_that_match(const std::string& pattern) {
  glob_t found{};
  const int status = glob(pattern.c_str(), GLOB_ERR, nullptr, &found);
  std::vector<std::string> names;
  if (status == 0) names.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (status == GLOB_NOMATCH) refuse(pattern, "no file has this name or matches it");
  if (status != 0) refuse(pattern, "a folder of this pattern cannot be read");
  return names;
}

// By how it begins: names say it less surely.
compression compression_of(const std::string& name) {
  std::array<char, 4> begin{};
  std::ifstream in(name, std::ios::binary);
  if (!in) refuse(name, reason_of(errno));
  in.read(begin.data(), begin.size());
  const std::string_view first(begin.data(), static_cast<std::size_t>(in.gcount()));
  if (first.starts_with("\x1f\x8b")) return compression::gzip;
  if (first.starts_with("\x28\xb5\x2f\xfd")) return compression::zstd;
  return compression::none;
}

struct stat status_of(const std::string& name) {
  struct stat status{};
  if (::stat(name.c_str(), &status) != 0) refuse(name, reason_of(errno));
  return status;
}

// The part files of a folder that write_lines() and its like have written: what is not as the list tells is not theirs.
void list_written(const std::string& folder, std::vector<listed_file>& files) {
  for (const auto& [name, bytes, type] : written_files(folder)) {
    const auto size = static_cast<std::uint64_t>(status_of(name).st_size);
    if (size != bytes)
      refuse(name, "has " + std::to_string(size) + " bytes, and " + folder + "/list tells of " + std::to_string(bytes));
    files.push_back({name, size, compression::none, type});
  }
}

void list_one(const std::string& name, std::vector<listed_file>& files) {
  const struct stat status = status_of(name);
  if (S_ISDIR(status.st_mode) && ::access((name + "/list").c_str(), F_OK) == 0) return list_written(name, files);
  if (!S_ISREG(status.st_mode)) refuse(name, "is no regular file: only those are cut into parts");
  files.push_back({name, static_cast<std::uint64_t>(status.st_size), compression_of(name)});
}

// Where a part's end cuts a file that has so many bytes before it. None of the first bytes, which may be a byte order
// mark, is cut off: the first line is the PE's that has them.
std::uint64_t cut(std::uint64_t size, std::uint64_t at, std::uint64_t before) {
  constexpr std::uint64_t mark = 3;
  const std::uint64_t in_file = std::clamp(at, before, before + size) - before;
  return in_file <= mark && in_file < size ? 0 : in_file;
}

}  // namespace

std::vector<listed_file> list_files(const std::vector<std::string>& patterns) {
  std::vector<listed_file> files;
  for (const std::string& pattern : patterns) {
    struct stat status{};
    if (::stat(pattern.c_str(), &status) == 0) {
      list_one(pattern, files);
    } else if (errno != ENOENT) {
      refuse(pattern, reason_of(errno));
    } else {
      for (const std::string& name : names_that_match(pattern)) list_one(name, files);
    }
  }
  return files;
}

std::vector<file_piece> pieces_of(const std::vector<listed_file>& files, const remote::part& part) {
  std::vector<file_piece> pieces;
  std::uint64_t before = 0;
  for (const auto& [name, size, packed_by, written_as] : files) {
    if (packed_by != compression::none) {
      if (part.from() <= before && before < part.to()) pieces.push_back({name, size, 0, size, packed_by});
    } else {
      const std::uint64_t begin = cut(size, part.from(), before), end = cut(size, part.to(), before);
      if (begin < end) pieces.push_back({name, size, begin, end, packed_by});
    }
    before += size;
  }
  return pieces;
}

// PE 0 looks for all, so that all cut the same files; what it cannot find is an error of every PE, and none waits.
task<std::vector<listed_file>> files_of_all_pes(std::vector<std::string> patterns) {
  std::vector<listed_file> files;
  std::string error;
  if (this_pe() == 0) {
    try {
      files = list_files(patterns);
    } catch (const data_file_error& wrong) {
      error = wrong.what();
    }
  }
  error = co_await broadcast(std::move(error));
  if (!error.empty()) throw data_file_error(error);
  files = co_await broadcast(std::move(files));
  co_return files;
}

task<std::vector<file_piece>> pieces_of_this_pe(std::vector<std::string> patterns, text_reader by) {
  const std::vector<listed_file> files = co_await files_of_all_pes(std::move(patterns));
  std::uint64_t bytes = 0;
  for (const listed_file& file : files) {
    if (!file.written_as.empty() && file.written_as != by.reads)
      refuse(file.name,
             "was written as " + file.written_as + ", and " + std::string(by.name) + " reads " + std::string(by.reads));
    bytes += file.size;
  }
  co_return pieces_of(files, part_of(bytes));
}

}  // namespace tsubu::containers
