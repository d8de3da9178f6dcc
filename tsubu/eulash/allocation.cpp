// The functions of memory.h that allocate and free.
#include <cerrno>
#include <cstring>
#include <limits>

#include "tsubu/base/check.hpp"
#include "tsubu/eulash/access.hpp"
#include "tsubu/eulash/directory.hpp"
#include "tsubu/eulash/libc.h"
#include "tsubu/remote/messages/at.hpp"

namespace tsubu::placed {
namespace {

void* allocate(std::uint64_t bytes, std::uint64_t alignment, const eulash_site* site, bool zeroed) {
  const std::uint64_t at = heaps->allocate(bytes, alignment, *site, zeroed);
  if (at != heap::nowhere) return reinterpret_cast<void*>(views->where.address_of(at));
  errno = ENOMEM;
  return nullptr;
}

task<void> release(std::uint64_t first, pe_id who) { co_await heaps->release(first, who); }

std::uint64_t size_at(std::uint64_t first) {
  const heap::found f = heaps->find(first);
  return f.of == nullptr || f.first != first || f.of->ends ? heap::nowhere : f.of->asked;
}

// The size of an allocation in any process. May wait.
std::uint64_t bytes_at(std::uint64_t address) {
  const std::uint64_t first = views->where.offset_of(address);
  const pe_id home = views->where.home_of(first);
  require(first < views->where.span() && home < pe_count(), "realloc() is given no address of allocated memory");
  return home == views->me ? size_at(first) : wait_here(at(home).now<&size_at>(first));
}

char* copy_of_text(const char* text, std::size_t length, const eulash_site* site) {
  auto* const made = static_cast<char*>(allocate(length + 1, 1, site, false));
  if (made == nullptr) return nullptr;
  eulash_memcpy(made, text, length);
  const char end = '\0';
  eulash_store(made + length, &end, 1);
  return made;
}

}  // namespace
}  // namespace tsubu::placed

using namespace tsubu;

extern "C" {

void* eulash_malloc(std::size_t bytes, const eulash_site* site) { return placed::allocate(bytes, 1, site, false); }

void* eulash_calloc(std::size_t count, std::size_t each, const eulash_site* site) {
  if (each != 0 && count > std::numeric_limits<std::size_t>::max() / each) {
    errno = ENOMEM;
    return nullptr;
  }
  return placed::allocate(count * each, 1, site, true);
}

void* eulash_aligned_alloc(std::size_t alignment, std::size_t bytes, const eulash_site* site) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    errno = EINVAL;
    return nullptr;
  }
  return placed::allocate(bytes, alignment, site, false);
}

int eulash_posix_memalign(void** to, std::size_t alignment, std::size_t bytes, const eulash_site* site) {
  if (alignment % sizeof(void*) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* const made = placed::allocate(bytes, alignment, site, false);
  if (made == nullptr) return ENOMEM;
  eulash_store(to, &made, sizeof made);
  return 0;
}

void* eulash_realloc(void* p, std::size_t bytes, const eulash_site* site) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (p == nullptr) return eulash_malloc(bytes, site);
  if (!placed::views->where.holds(address)) return std::realloc(p, bytes);
  const std::uint64_t had = placed::bytes_at(address);
  require(had != placed::heap::nowhere, "realloc() is given an address where nothing begins that was allocated");
  void* const made = eulash_malloc(bytes, site);
  if (made == nullptr) return nullptr;
  eulash_memcpy(made, p, had < bytes ? had : bytes);
  eulash_free(p);
  return made;
}

char* eulash_strdup(const char* text, const eulash_site* site) {
  return placed::copy_of_text(text, eulash_strlen(text), site);
}
char* eulash_strndup(const char* text, std::size_t most, const eulash_site* site) {
  return placed::copy_of_text(text, eulash_strnlen(text, most), site);
}

void eulash_free(void* p) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  const placed::layout& where = placed::views->where;
  if (!where.holds(address)) return std::free(p);
  const std::uint64_t first = where.offset_of(address);
  const pe_id home = where.home_of(first);
  require(first < where.span() && home < pe_count(), "free() is given no address of allocated memory");
  at(home).past<&placed::release>(first, placed::views->me);
}

}  // extern "C"
