#include "tsubu/containers/files/file_list.hpp"

#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>

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

listed_file listed(const std::string& name) {
  struct stat status{};
  if (::stat(name.c_str(), &status) != 0) refuse(name, reason_of(errno));
  if (!S_ISREG(status.st_mode)) refuse(name, "is no regular file: only those are cut into parts");
  return {name, static_cast<std::uint64_t>(status.st_size), compression_of(name)};
}

}  // namespace

std::vector<listed_file> list_files(const std::vector<std::string>& patterns) {
  std::vector<listed_file> files;
  for (const std::string& pattern : patterns) {
    struct stat status{};
    if (::stat(pattern.c_str(), &status) == 0) {
      files.push_back(listed(pattern));
    } else if (errno != ENOENT) {
      refuse(pattern, reason_of(errno));
    } else {
      for (const std::string& name : names_that_match(pattern)) files.push_back(listed(name));
    }
  }
  return files;
}

std::vector<file_piece> pieces_of(const std::vector<listed_file>& files, const remote::part& part) {
  std::vector<file_piece> pieces;
  std::uint64_t before = 0;
  for (const auto& [name, size, packed_by] : files) {
    if (packed_by != compression::none) {
      if (part.from() <= before && before < part.to()) pieces.push_back({name, size, 0, size, packed_by});
    } else {
      const std::uint64_t begin = std::clamp<std::uint64_t>(part.from(), before, before + size) - before;
      const std::uint64_t end = std::clamp<std::uint64_t>(part.to(), before, before + size) - before;
      if (begin < end) pieces.push_back({name, size, begin, end, packed_by});
    }
    before += size;
  }
  return pieces;
}

}  // namespace tsubu::containers
