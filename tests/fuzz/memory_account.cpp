#include "tests/fuzz/memory_account.hpp"

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/input.hpp"
#include "tsubu/base/sanitizer.hpp"

#if TSUBU_ASAN
#include <sanitizer/allocator_interface.h>
#endif

namespace tsubu::fuzz {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{64} << 20;

constinit bool counts = false;
constinit std::int64_t bytes_now = 0;  // since the account began; what was there before may be freed, too

#if TSUBU_ASAN
void on_allocation(const volatile void*, std::size_t bytes) {
  if (!counts) return;
  bytes_now += static_cast<std::int64_t>(bytes);
  if (bytes_now <= most_bytes) return;
  counts = false;
  finding("reading takes more than 64 MiB of memory");
}
void on_free(const volatile void* at) {
  if (counts && at != nullptr)
    bytes_now -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(const_cast<const void*>(at)));
}
#endif

}  // namespace

void watch_memory() {
#if TSUBU_ASAN
  __sanitizer_install_malloc_and_free_hooks(on_allocation, on_free);
#endif
}

memory_account::memory_account() {
  bytes_now = 0;
  counts = true;
}
memory_account::~memory_account() { counts = false; }

}  // namespace tsubu::fuzz
