// A thread of a placed program while it runs, and how it waits.
#pragma once

#include <cerrno>
#include <csetjmp>
#include <cstdint>
#include <source_location>
#include <unordered_map>
#include <utility>

#include "tsubu/eulash/polling.hpp"
#include "tsubu/eulash/view.hpp"
#include "tsubu/task/fiber.hpp"

namespace tsubu::placed {

struct thread {
  std::uint64_t number = 0;  // its pthread_t: the process where it runs, and a count there
  static constexpr std::uint64_t without_ordinal = ~std::uint64_t{0};
  std::uint64_t ordinal = without_ordinal;  // the how-manieth of the program, if its process was ours to choose
  pe_id next_process = no_pe;               // of the next that it creates, if the program says so
  char* own = nullptr;                      // its variables, on its stack
  void* result = nullptr;                   // of pthread_exit()
  std::jmp_buf* end = nullptr;              // where pthread_exit() goes
  unsigned atomics = 0;                     // since it has let others run
  const eulash_place* line = nullptr;       // where it is, in a program that tells its accesses
  std::unordered_map<std::uint32_t, void*> own_values;  // by their keys
};

// The one that runs on this thread of the system; null in the program's own coroutines, and in handlers.
inline thread_local constinit thread* running = nullptr;

// The program has ended by exit(): a thread that gets here goes no further.
void stop_if_ended();

// A thread goes on: others have run meanwhile, of other processes, too.
class resumed {
 public:
  resumed() : self_(running), errno_(errno) {}
  resumed(const resumed&) = delete;
  resumed& operator=(const resumed&) = delete;
  ~resumed() {
    running = self_;
    errno = errno_;
    views->enter();
    stop_if_ended();
  }

 private:
  thread* const self_;
  const int errno_;
};

// It does so behind a wait.
class waited : resumed {
 public:
  waited() = default;
  waited(const waited&) = delete;
  waited& operator=(const waited&) = delete;
  ~waited() { look_soon(); }
};

template <class A>
decltype(auto) wait_here(A&& awaitable, std::source_location where = std::source_location::current()) {
  const waited back;
  return wait(std::forward<A>(awaitable), where);
}

// Lets messages be handled, and the others run.
void let_others_run();

}  // namespace tsubu::placed
