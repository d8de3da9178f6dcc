#include "abcl/command/cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "tsubu/base/printable.hpp"
#include "tsubu/base/trust.hpp"

namespace abcl {
namespace {

namespace fs = std::filesystem;

fs::path place_of_cache() {
  if (const std::string set = variable("XDG_CACHE_HOME"); !set.empty()) return fs::path(set) / "abcl";
  if (const std::string home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache/abcl";
  std::error_code none;
  const fs::path temporary = fs::temp_directory_path(none);
  return none ? fs::path() : temporary / fmt::format("abcl-{}", getuid());
}

// Why others may write it, or nothing. Root is no exception: who owns the folder names what is executed.
std::string why_not_own(const fs::path& path) {
  struct stat of{};
  if (lstat(path.c_str(), &of) != 0 && errno == ENOENT) return {};
  // The folder behind a link says nothing: who has made the link may have it lead elsewhere.
  if (of.st_uid != geteuid())
    return fmt::format("{} {} user {}", path.string(), S_ISLNK(of.st_mode) ? "is a link of" : "belongs to", of.st_uid);
  return tsubu::why_not_trusted(path.string());
}

std::optional<fs::path> found_cache() {
  const fs::path folder = place_of_cache();
  if (folder.empty()) return std::nullopt;
  std::error_code none;
  fs::create_directories(folder.parent_path(), none);
  mkdir(folder.c_str(), 0700);  // it is looked at below whether there is one now
  if (!fs::is_directory(folder, none)) return std::nullopt;
  const std::string reason = why_not_own(folder);
  if (reason.empty()) return folder;
  fmt::print(stderr, "abcl: the cache is not used: {}\n", tsubu::one_line(reason));
  return std::nullopt;
}

}  // namespace

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::optional<fs::path> cache_folder() {
  static const std::optional<fs::path> found = found_cache();
  return found;
}

bool is_own(const fs::path& file) {
  std::error_code none;
  return fs::exists(file, none) && why_not_own(file).empty();
}

std::string hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

}  // namespace abcl
