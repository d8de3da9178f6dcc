// Promise: a large block that is made anew again and again takes no fresh pages of the system.
// Method: the system's count of this process's page faults, around blocks that are written to.
#include "tsubu/base/freed_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstring>
#include <memory>

#include "tsubu/base/sanitizer.hpp"

namespace tsubu {
namespace {

long page_faults() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_minflt;
}

void use_blocks(int count, std::size_t bytes) {
  for (int i = 0; i < count; ++i) {
    const std::unique_ptr<char[]> block(new char[bytes]);
    std::memset(block.get(), i, bytes);
  }
}

TEST(freed_memory, is_used_again) {
#if !defined(__GLIBC__)
  GTEST_SKIP() << "not glibc's allocator";
#endif
  if (TSUBU_ASAN + TSUBU_TSAN != 0) GTEST_SKIP() << "a sanitizer has its own allocator";
  constexpr std::size_t bytes = std::size_t{8} << 20;
  keep_freed_memory(std::size_t{64} << 20);
  use_blocks(1, bytes);
  const long before = page_faults();
  use_blocks(20, bytes);
  EXPECT_LT(page_faults() - before, 2048) << "a block has 2048 pages";
}

}  // namespace
}  // namespace tsubu
