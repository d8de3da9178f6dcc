#include "tsubu/eulash/view.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <mutex>

#include "tsubu/base/check.hpp"
#include "tsubu/data/settings.hpp"
#include "tsubu/eulash/races.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/run/one_memory.hpp"

__thread char* eulash_view = nullptr;

namespace tsubu::placed {
namespace {

// All of the addresses are this library's, from the first job of the process on. Nothing is ever mapped at those that
// programs know: a stray access ends the process.
void reserve_addresses() {
  static std::once_flag once;
  std::call_once(once, [] {
    void* const wanted = reinterpret_cast<void*>(EULASH_BASE);
    const void* const got = ::mmap(wanted, layout::addresses, PROT_NONE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    require(got == wanted, "no addresses for shared memory, {} GiB of them: {}", layout::addresses >> 30,
            [] { return std::string(std::strerror(errno)); });
  });
}

void map_zeros(std::uint64_t address, std::size_t bytes) {
  void* const begin = reinterpret_cast<void*>(address);
  const void* const got =
      ::mmap(begin, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  require(got == begin, "no {} MiB of addresses for shared memory: {}", bytes >> 20,
          [] { return std::string(std::strerror(errno)); });
}

bool memory_is_one() { return run_detail::uses_one_memory() && !records_a_profile(); }

}  // namespace

bool records_a_profile() {
  const auto& settings = data::configured().profile;
  return settings != nullptr && !settings->file.empty();
}

view::view()
    : me(this_pe()),
      where(pe_count(), memory_is_one()),
      marks(!records_a_profile() && !looks_for_races()),
      data_(reinterpret_cast<char*>(where.one_memory() ? where.address_of(0) : where.view_of(me).begin)) {
  reserve_addresses();
  map();
}

// All of its view, or its part of the one memory, in which nobody has been told of anything yet.
void view::map() const {
  if (where.one_memory()) {
    map_zeros(where.address_of(where.part_of(me).begin), where.part_of(me).bytes);
  } else {
    map_zeros(where.view_of(me).begin - where.state_bytes(), where.state_bytes() + where.span());
  }
}

// The memory goes, but not its addresses: blocks may end later than this, and take their marks. One memory stays until
// the next job, since threads of other processes may still be using it.
view::~view() {
  if (where.one_memory()) return;
  map();
  if (eulash_view == data_) eulash_view = nullptr;
}

void unmark_lines(char* data, std::uint64_t offset, std::uint64_t n) {
  const std::uint64_t first = offset / EULASH_LINE, last = (offset + n - 1) / EULASH_LINE;
  std::memset(data - 1 - last, 0, last - first + 1);
}

bool view::may(line_state how, std::uint64_t offset, std::uint64_t n) const {
  if (offset >= where.span() || n > where.span() - offset) return false;
  const std::uint64_t first = offset / EULASH_LINE, last = (offset + n - 1) / EULASH_LINE;
  const std::uint8_t* const states = state_of_line(last);
  // Without a branch, so that loops that hold a row do not wait for it: the least of them says what may be done.
  auto least = static_cast<std::uint8_t>(line_state::writable);
  for (std::uint64_t i = 0; i <= last - first; ++i) least = std::min(least, states[i]);
  return least >= static_cast<std::uint8_t>(how);
}

void view::mark(std::uint64_t offset, std::uint64_t n, line_state how) const {
  if (where.one_memory()) return;
  const std::uint64_t first = offset / EULASH_LINE, last = (offset + n - 1) / EULASH_LINE;
  std::memset(state_of_line(last), static_cast<int>(how), last - first + 1);
}

}  // namespace tsubu::placed
