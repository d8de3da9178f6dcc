#include "tsubu/base/freed_memory.hpp"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace tsubu {

void keep_freed_memory(std::size_t bytes) {
#if defined(__GLIBC__)
  if (std::getenv("MALLOC_TRIM_THRESHOLD_") != nullptr || std::getenv("MALLOC_MMAP_THRESHOLD_") != nullptr) return;
  const char* const tunables = std::getenv("GLIBC_TUNABLES");
  if (tunables != nullptr && std::strstr(tunables, "glibc.malloc") != nullptr) return;
  constexpr std::size_t most_in_heap = std::size_t{32} << 20;  // mallopt() takes no more
  mallopt(M_TRIM_THRESHOLD, static_cast<int>(std::min<std::size_t>(bytes, INT_MAX)));
  mallopt(M_MMAP_THRESHOLD, static_cast<int>(std::min(bytes / 2, most_in_heap)));
#else
  (void)bytes;
#endif
}

}  // namespace tsubu
