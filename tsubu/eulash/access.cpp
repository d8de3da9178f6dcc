#include "tsubu/eulash/access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/eulash/block_access.hpp"
#include "tsubu/eulash/prefetch.hpp"
#include "tsubu/eulash/races.hpp"
#include "tsubu/eulash/stacks.hpp"
#include "tsubu/eulash/thread_uses.hpp"
#include "tsubu/eulash/threads.h"
#include "tsubu/remote/messages/at.hpp"

namespace tsubu::placed {
namespace {

// Copies for eulash_read(): good until the thread waits, so that one for a process will do.
struct bounce_buffer {
  std::vector<char> bytes;
};
const pe_local<bounce_buffer> bounce_buffers;

told_allocation tell_of(std::uint64_t offset) { return heaps->tell(offset); }

[[noreturn]] void refuse(std::uint64_t offset) {
  fail(fmt::format("a thread uses the shared memory at {:#x}, which nobody has allocated, or which was freed",
                   offset + EULASH_BASE));
}

known_block block_at(std::uint64_t offset) {
  const known_block b = find_block(offset);
  if (b.bytes == 0) refuse(offset);
  return b;
}

// The data layer does it, of `n` bytes at `offset` that are in one block. Again if the memory was freed meanwhile, and
// is something else now.
template <class Access, class... A>
auto access_block(std::uint64_t offset, const A&... arguments) {
  for (;;) {
    const known_block b = block_at(offset);
    if (b.key == data::key()) refuse(offset);
    try {
      if constexpr (!std::is_same_v<Access, atomic_access>) {
        prefetchers->missed(b, std::is_same_v<Access, store_access>);
      }
      Access work(place_of_block{b.key}, static_cast<std::uint32_t>(offset - b.first), arguments...);
      if constexpr (std::is_void_v<decltype(work.await_resume())>) {
        wait_here(work);
        mark_if_here(b);
        return;
      } else {
        auto result = wait_here(work);
        mark_if_here(b);
        return result;
      }
    } catch (const variable_ended&) {
      if (views->where.home_of(offset) == views->me) refuse(offset);
      directories->forget(offset);
    }
  }
}

// f(offset, bytes) for each part that lies in one block.
template <class F>
void for_each_block(std::uint64_t offset, std::size_t n, F f) {
  while (n != 0) {
    const known_block b = block_at(offset);
    const std::size_t part = std::min<std::uint64_t>(n, b.first + b.bytes - offset);
    f(b, offset, part);
    offset += part;
    n -= part;
  }
}

// Whether these bytes, all of one block, may be used so until the thread waits.
bool here_now(const known_block& b, line_state how, std::uint64_t offset, std::size_t n) {
  if (!views->marks) {
    if (records_a_profile()) note_use(b.first, how == line_state::writable);
    return how == line_state::writable ? can_write(b.key) : can_read(b.key);
  }
  if (views->may(how, offset, n)) return true;
  mark_if_here(b);
  return views->may(how, offset, n);
}

void load(std::uint64_t offset, char* to, std::size_t n) {
  for_each_block(offset, n, [&](const known_block& b, std::uint64_t at, std::size_t part) {
    if (here_now(b, line_state::readable, at, part)) {
      std::memcpy(to, views->at(at), part);
    } else {
      const std::string bytes = access_block<load_access>(at, static_cast<std::uint32_t>(part));
      std::memcpy(to, bytes.data(), part);
    }
    to += part;
  });
}

void store(std::uint64_t offset, const char* from, std::size_t n) {
  for_each_block(offset, n, [&](const known_block& b, std::uint64_t at, std::size_t part) {
    if (here_now(b, line_state::writable, at, part)) {
      std::memcpy(views->at(at), from, part);
    } else {
      access_block<store_access>(at, std::string(from, part));
      // The thread may be in a loop that reads what it has held here, and that has gone since.
      if (views->marks && !views->may(line_state::readable, at, part)) std::memcpy(views->at(at), from, part);
    }
    from += part;
  });
}

// Whose stack the address is on; another process's.
pe_id owner_of(std::uint64_t address) {
  const pe_id owner = views->where.owner_of_stack(address);
  if (owner >= pe_count()) fail(fmt::format("a thread uses {:#x}, which is on nobody's stack", address));
  return owner;
}

}  // namespace

known_block find_block(std::uint64_t offset) {
  const known_block b = directories->look(offset);
  const auto& where = views->where;
  if (b.bytes != 0 || offset >= where.span()) return b;
  const pe_id home = where.home_of(offset);
  if (home == views->me || home >= pe_count()) return b;
  const told_allocation told = wait_here(at(home).now<&tell_of>(offset));
  if (told.block_bytes == 0) return b;
  directories->learn(told);
  return directories->look(offset);
}

void mark_if_here(const known_block& b) {
  if (!views->marks) return;
  if (b.key == data::key() || can_write(b.key)) {
    views->mark(b.first, b.bytes, line_state::writable);
  } else if (can_read(b.key)) {
    views->mark(b.first, b.bytes, line_state::readable);
  }
}

bool is_plain(std::uint64_t address) {
  if (views->where.one_memory()) return true;
  if (is_shared(address)) return false;
  return !is_stack(address) || views->where.owner_of_stack(address) == views->me;
}

void copy_out(std::uint64_t address, void* to, std::size_t n) {
  if (n == 0) return;
  if (is_plain(address)) {
    std::memcpy(to, reinterpret_cast<const void*>(address), n);
  } else if (is_shared(address)) {
    load(address - EULASH_BASE, static_cast<char*>(to), n);
  } else {
    const std::string bytes = wait_here(at(owner_of(address)).now<&load_from_stack>(address, std::uint64_t{n}));
    std::memcpy(to, bytes.data(), n);
  }
}

void copy_in(std::uint64_t address, const void* from, std::size_t n) {
  if (n == 0) return;
  if (is_plain(address)) {
    std::memcpy(reinterpret_cast<void*>(address), from, n);
  } else if (is_shared(address)) {
    store(address - EULASH_BASE, static_cast<const char*>(from), n);
  } else {
    wait_here(at(owner_of(address)).now<&store_to_stack>(address, std::string(static_cast<const char*>(from), n)));
  }
}

std::uint64_t change_atomically(std::uint64_t address, const atomic_change& change) {
  if (views->where.one_memory()) return change.apply_at_once(reinterpret_cast<void*>(address));
  if (is_plain(address)) return change.apply(reinterpret_cast<void*>(address));
  if (is_stack(address)) return wait_here(at(owner_of(address)).now<&change_on_stack>(address, change));
  const std::uint64_t offset = address - EULASH_BASE;
  require(offset / EULASH_LINE == (offset + change.bytes - 1) / EULASH_LINE,
          "an atomic operation on data that lie across two lines of shared memory");
  const known_block b = block_at(offset);
  const bool writes = change.what != eulash_atomic_load;
  if (here_now(b, writes ? line_state::writable : line_state::readable, offset, change.bytes)) {
    return change.apply(views->at(offset));
  }
  if (writes) return access_block<atomic_access>(offset, change);
  std::uint64_t value = 0;
  load(offset, reinterpret_cast<char*>(&value), change.bytes);
  return value;
}

}  // namespace tsubu::placed

using namespace tsubu;

extern "C" {

const void* eulash_read_slowly(const void* p, std::size_t n) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (n == 0 || placed::is_plain(address)) return p;
  const std::uint64_t offset = address - EULASH_BASE;
  if (placed::is_shared(address) && placed::views->may(placed::line_state::readable, offset, n)) {
    return placed::views->at(offset);
  }
  std::vector<char> bytes(n);
  placed::copy_out(address, bytes.data(), n);
  auto& kept = placed::bounce_buffers->bytes;
  kept.swap(bytes);
  return kept.data();
}

void* eulash_write_here_slowly(void* p, std::size_t n) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (n == 0 || placed::is_plain(address)) return p;
  if (!placed::is_shared(address)) return nullptr;
  const std::uint64_t offset = address - EULASH_BASE;
  if (placed::views->may(placed::line_state::writable, offset, n)) return placed::views->at(offset);
  for (std::uint64_t at = offset; at < offset + n;) {
    const placed::known_block b = placed::directories->look(at);
    if (b.bytes == 0) return nullptr;
    const std::uint64_t end = std::min(offset + n, b.first + b.bytes);
    if (!placed::here_now(b, placed::line_state::writable, at, end - at)) return nullptr;
    at = end;
  }
  return placed::views->at(offset);
}

void eulash_store_slowly(void* p, const void* from, std::size_t n) {
  placed::copy_in(reinterpret_cast<std::uintptr_t>(p), from, n);
}

void eulash_store_changed(void* p, const void* before, const void* after, std::size_t n) {
  const auto* const a = static_cast<const char*>(before);
  const auto* const b = static_cast<const char*>(after);
  for (std::size_t i = 0; i < n;) {
    if (a[i] == b[i]) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < n && a[i] != b[i]) ++i;
    placed::accesses(static_cast<char*>(p) + begin, i - begin, true);
    eulash_store(static_cast<char*>(p) + begin, b + begin, i - begin);
  }
}

}  // extern "C"
