#include "tsubu/task/fiber_stack.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "tsubu/base/sanitized_program.hpp"
#include "tsubu/task/no_fiber_stack.hpp"

namespace tsubu::detail {

class fiber_stack_pool {
 public:
  struct size_class {
    std::size_t mapping_bytes;
    std::vector<fiber_stack> free;
  };

  std::vector<fiber_stack>& free_of(std::size_t mapping_bytes) {
    for (size_class& c : sizes_)
      if (c.mapping_bytes == mapping_bytes) return c.free;
    return sizes_.emplace_back(size_class{mapping_bytes, {}}).free;
  }
  fiber_stack_pool() = default;
  fiber_stack_pool(const fiber_stack_pool&) = delete;
  fiber_stack_pool& operator=(const fiber_stack_pool&) = delete;
  ~fiber_stack_pool() {
    for (const size_class& c : sizes_) {
      for (const fiber_stack& s : c.free) {
        if (sanitizer::has_address()) {
          __asan_unpoison_memory_region(s.bottom(), s.bytes());
          __lsan_unregister_root_region(s.bottom(), s.bytes());
        }
        ::munmap(s.mapping_, s.mapping_bytes_);
      }
    }
  }

  unsigned spreads = 0;  // given by next_spread()

 private:
  std::vector<size_class> sizes_;
};

namespace {

thread_local fiber_stack_pool stacks;

// Which limit of the system was met, and how to have more.
std::string met_limit() {
  std::ifstream of_system("/proc/sys/vm/max_map_count"), own("/proc/self/maps");
  std::size_t most = 0, has = 0;
  of_system >> most;
  for (std::string line; std::getline(own, line);) ++has;
  if (most != 0 && has + 100 >= most) {
    return "the process has " + std::to_string(has) + " mappings, two for each fiber, and may have " +
           std::to_string(most) + ": raise that (sysctl -w vm.max_map_count=" + std::to_string(8 * most) +
           "), run fewer PEs in a process, or have fewer fibers at a time";
  }
  rlimit addresses{};
  if (::getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY) {
    return "the process may have " + std::to_string(addresses.rlim_cur >> 10) +
           " KiB of addresses (ulimit -v): raise that, or give fibers smaller stacks";
  }
  return "give fibers smaller stacks, or have fewer at a time";
}

[[noreturn]] void refuse_stack(std::size_t bytes, int error) {
  throw no_fiber_stack("no stack of " + std::to_string(bytes) + " bytes for another fiber: " + std::strerror(error) +
                       "; " + met_limit());
}

}  // namespace

fiber_stack fiber_stack::take(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  fiber_stack made;
  made.mapping_bytes_ = (bytes + page - 1) / page * page + page;
  made.guard_bytes_ = page;

  std::vector<fiber_stack>& free = stacks.free_of(made.mapping_bytes_);
  if (!free.empty()) {
    made = free.back();
    free.pop_back();
    if (sanitizer::has_address()) __asan_unpoison_memory_region(made.bottom(), made.bytes());
    return made;
  }
  void* at =
      ::mmap(nullptr, made.mapping_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (at == MAP_FAILED) refuse_stack(bytes, errno);
  made.mapping_ = static_cast<char*>(at);
  if (::mprotect(at, page, PROT_NONE) != 0) {
    const int error = errno;
    ::munmap(at, made.mapping_bytes_);
    refuse_stack(bytes, error);
  }
  if (sanitizer::has_address()) __lsan_register_root_region(made.bottom(), made.bytes());
  return made;
}

fiber_stack fiber_stack::of(void* bottom, std::size_t bytes, returner given_back) {
  fiber_stack own;
  own.mapping_ = static_cast<char*>(bottom);
  own.mapping_bytes_ = bytes;
  own.given_back_ = given_back;
  return own;
}

void fiber_stack::give_back() const {
  if (given_back_ != nullptr) return given_back_(bottom(), bytes());
  // Who still uses what was there is told so.
  if (sanitizer::has_address()) __asan_poison_memory_region(bottom(), bytes());
  stacks.free_of(mapping_bytes_).push_back(*this);
}

std::size_t fiber_stack::next_spread() { return stacks.spreads++ % 13 * 5 * 64; }

}  // namespace tsubu::detail
