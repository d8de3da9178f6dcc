#include "tsubu/eulash/globals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/eulash/emitted.h"
#include "tsubu/eulash/heap.hpp"

// The linker makes these of the section in which EULASH_GLOBAL registers, if there is one.
extern "C" {
extern const eulash_global* const eulash_globals_begin[] __asm__("__start_eulash_globals") __attribute__((weak));
extern const eulash_global* const eulash_globals_end[] __asm__("__stop_eulash_globals") __attribute__((weak));
extern const eulash_own_variable* const eulash_own_begin[] __asm__("__start_eulash_own") __attribute__((weak));
extern const eulash_own_variable* const eulash_own_end[] __asm__("__stop_eulash_own") __attribute__((weak));
}

namespace tsubu::placed {
namespace {

std::span<const eulash_global* const> globals() {
  return {&eulash_globals_begin[0], &eulash_globals_end[0]};  // both null where no program registers any
}

std::span<const eulash_own_variable* const> own_variables() { return {&eulash_own_begin[0], &eulash_own_end[0]}; }

constexpr std::size_t own_alignment = 64;  // of what a thread has, so the greatest that a variable may want

// Where the global is in shared memory whose first value is at `image`, as a distance from there.
std::uint64_t distance_from(std::uint64_t image) {
  const auto all = globals();
  const auto found = std::ranges::find_if(
      all, [&](const eulash_global* g) { return reinterpret_cast<std::uintptr_t>(g->image) == image; });
  require(found != all.end(), "a first value points to a global that is not shared");
  return reinterpret_cast<std::uintptr_t>(*(*found)->variable) - image;
}

// In a copy of a first value, pointers to globals lead to these.
void set_pointers(char* copy, std::span<const std::size_t> pointers) {
  for (std::size_t i = 0; i < pointers.size(); i += 2) {
    std::uint64_t pointer;
    std::memcpy(&pointer, copy + pointers[i], sizeof pointer);
    pointer += distance_from(pointers[i + 1]);
    std::memcpy(copy + pointers[i], &pointer, sizeof pointer);
  }
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
    set_pointers(views->at(at), {g->pointers, 2 * g->pointer_count});
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

void lay_out_own_variables() {
  std::size_t next = 0;
  for (const eulash_own_variable* const v : own_variables()) {
    require(v->alignment <= own_alignment, "a variable of each thread's own is aligned to more than 64 bytes");
    next = (next + v->alignment - 1) / v->alignment * v->alignment;
    *v->offset = next;
    next += v->bytes;
  }
}

std::size_t bytes_of_own_variables() {
  if (own_variables().empty()) return 0;
  const eulash_own_variable& last = *own_variables().back();
  return *last.offset + last.bytes + own_alignment;
}

char* make_own_variables(char* room) {
  const auto address = reinterpret_cast<std::uintptr_t>(room);
  char* const own = room + (own_alignment - address % own_alignment) % own_alignment;
  for (const eulash_own_variable* const v : own_variables()) {
    std::memcpy(own + *v->offset, v->image, v->bytes);
    set_pointers(own + *v->offset, {v->pointers, 2 * v->pointer_count});
  }
  return own;
}

}  // namespace tsubu::placed
