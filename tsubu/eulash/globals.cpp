#include "tsubu/eulash/globals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/eulash/heap.hpp"

// The linker makes these of the section in which EULASH_GLOBAL registers, if there is one.
extern "C" {
extern const eulash_global* const eulash_globals_begin[] __asm__("__start_eulash_globals") __attribute__((weak));
extern const eulash_global* const eulash_globals_end[] __asm__("__stop_eulash_globals") __attribute__((weak));
}

namespace tsubu::placed {
namespace {

std::span<const eulash_global* const> globals() {
  return {&eulash_globals_begin[0], &eulash_globals_end[0]};  // both null where no program registers any
}

// Where a pointer into the first value of a global points in shared memory.
std::uint64_t translated(std::uint64_t pointer) {
  for (const eulash_global* const g : globals()) {
    const auto image = reinterpret_cast<std::uintptr_t>(g->image);
    if (pointer >= image && pointer < image + std::max<std::size_t>(g->bytes, 1)) {
      return reinterpret_cast<std::uintptr_t>(*g->variable) + (pointer - image);
    }
  }
  return pointer;
}

}  // namespace

void lay_out_globals(std::uint64_t from) {
  std::uint64_t next = from;
  for (const eulash_global* const g : globals()) {
    *g->variable = reinterpret_cast<void*>(next);
    next += heap::bytes_taken(g->bytes);
  }
}

void make_globals() {
  const layout& where = views->where;
  if (where.one_memory()) lay_out_globals(where.address_of(0));
  for (const eulash_global* const g : globals()) {
    const std::uint64_t at = heaps->allocate(g->bytes, 1, g->site, false);
    require(reinterpret_cast<void*>(where.address_of(at)) == *g->variable,
            "a shared global is not where it was laid out");
    std::memcpy(views->at(at), g->image, g->bytes);
    for (std::size_t i = 0; i < g->pointer_count; ++i) {
      char* const word = views->at(at) + g->pointers[i];
      std::uint64_t pointer;
      std::memcpy(&pointer, word, sizeof pointer);
      pointer = translated(pointer);
      std::memcpy(word, &pointer, sizeof pointer);
    }
  }
}

std::string name_of(std::uint64_t address) {
  for (const eulash_global* const g : globals()) {
    const std::uint64_t offset = address - reinterpret_cast<std::uintptr_t>(*g->variable);
    if (offset == 0) return g->site.name;
    if (offset < g->bytes) return fmt::format("{} + {} bytes", g->site.name, offset);
  }
  return fmt::format("at {:#x}", address);
}

}  // namespace tsubu::placed
