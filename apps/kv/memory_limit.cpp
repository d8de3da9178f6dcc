#include "apps/kv/memory_limit.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string_view>

namespace kv {

namespace {

constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

// The number that a file begins with; "max", or no file, is none.
std::uint64_t number_in(const std::string& file) {
  std::uint64_t number = 0;
  return std::ifstream(file) >> number ? number : none;
}

// The least of the group and of all above it. In a container the path is often the host's, of which only the root is
// seen.
std::uint64_t least_up_from(const std::string& mount, std::string path, const std::string& file) {
  std::uint64_t least = number_in(mount + '/' + file);
  while (path.size() > 1) {
    least = std::min(least, number_in(mount + path + '/' + file));
    path.resize(path.rfind('/'));
  }
  return least;
}

std::uint64_t of_process(__rlimit_resource which) {
  rlimit limit{};
  if (::getrlimit(which, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return none;
  return limit.rlim_cur;
}

}  // namespace

std::uint64_t control_group_limit(const std::string& groups, const std::string& root) {
  std::uint64_t least = none;
  std::ifstream lines(groups);
  // "0::/path" is version 2; "4:memory:/path" and "3:cpu,memory:/path" are version 1.
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos || line.compare(second + 1, 1, "/") != 0) continue;
    const std::string kinds = ',' + line.substr(first + 1, second - first - 1) + ',';
    const std::string path = line.substr(second + 1);
    if (kinds == ",,") {
      least = std::min({least, least_up_from(root, path, "memory.max"), least_up_from(root, path, "memory.high")});
    } else if (kinds.find(",memory,") != kinds.npos) {
      least = std::min(least, least_up_from(root + "/memory", path, "memory.limit_in_bytes"));
    }
  }
  return least;
}

std::uint64_t memory_limit() {
  const auto pages = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 0L));
  const std::uint64_t machine = pages == 0 ? none : pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return std::min({machine, control_group_limit("/proc/self/cgroup", "/sys/fs/cgroup"), of_process(RLIMIT_AS),
                   of_process(RLIMIT_DATA)});
}

}  // namespace kv
