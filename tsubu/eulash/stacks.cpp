#include "tsubu/eulash/stacks.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tsubu/base/check.hpp"
#include "tsubu/base/sanitized_program.hpp"

namespace tsubu::placed {
namespace {

std::uint64_t page() {
  static const auto bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

// What an ended thread has left there is no reason any more to refuse an access.
void let_use(std::uint64_t bottom, std::uint64_t bytes) {
  if (sanitizer::has_address()) __asan_unpoison_memory_region(reinterpret_cast<void*>(bottom), bytes);
}

}  // namespace

stacks::stacks() : part_(views->where.stacks_of(views->me)), next_(part_.begin) {
  ::mmap(reinterpret_cast<void*>(part_.begin), part_.bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

range stacks::take(std::uint64_t bytes) {
  const std::uint64_t whole = (bytes + page() - 1) / page() * page();
  const auto same = free_.find(whole);
  if (same != free_.end() && !same->second.empty()) {
    const std::uint64_t bottom = same->second.back();
    same->second.pop_back();
    let_use(bottom, whole);
    return {bottom, whole};
  }
  require(whole + page() <= part_.end() - next_, "process {} has no addresses left for the stack of another thread",
          views->me);
  void* const at = reinterpret_cast<void*>(next_);
  const void* const got =
      ::mmap(at, page() + whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_FIXED, -1, 0);
  const std::uint64_t bottom = next_ + page();
  require(got == at && ::mprotect(reinterpret_cast<void*>(bottom), whole, PROT_READ | PROT_WRITE) == 0,
          "no stack of {} bytes for another thread: {}", whole, [] { return std::string(std::strerror(errno)); });
  next_ = bottom + whole;
  all_.emplace(bottom, whole);
  let_use(bottom, whole);
  if (sanitizer::has_address()) __lsan_register_root_region(reinterpret_cast<void*>(bottom), whole);
  return {bottom, whole};
}

void stacks::give_back(std::uint64_t bottom) {
  const std::uint64_t bytes = all_.at(bottom);
  if (sanitizer::has_address()) __asan_poison_memory_region(reinterpret_cast<void*>(bottom), bytes);
  free_[bytes].push_back(bottom);
}

char* stacks::check(std::uint64_t address, std::uint64_t n) const {
  auto behind = all_.upper_bound(address);
  const bool below_one = behind != all_.begin();
  if (below_one) --behind;
  if (!below_one || address - behind->first > behind->second || n > behind->second - (address - behind->first)) {
    fail(fmt::format("a thread of another process uses {} bytes at {:#x}, on no stack of process {}", n, address,
                     views->me));
  }
  return reinterpret_cast<char*>(address);
}

std::string load_from_stack(std::uint64_t address, std::uint64_t n) {
  return std::string(stacks_here->check(address, n), n);
}

void store_to_stack(std::uint64_t address, std::string bytes) {
  std::memcpy(stacks_here->check(address, bytes.size()), bytes.data(), bytes.size());
}

std::uint64_t change_on_stack(std::uint64_t address, atomic_change change) {
  return change.apply(stacks_here->check(address, change.bytes));
}

}  // namespace tsubu::placed
