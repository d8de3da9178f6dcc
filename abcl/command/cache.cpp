#include "abcl/command/cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace abcl {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

fs::path cache_folder() {
  if (const std::string set = variable("XDG_CACHE_HOME"); !set.empty()) return fs::path(set) / "abcl";
  if (const std::string home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache/abcl";
  return fs::temp_directory_path() / fmt::format("abcl-{}", getuid());
}

std::string hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

}  // namespace abcl
