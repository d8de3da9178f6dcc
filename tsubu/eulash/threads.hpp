// The threads of a process: their records, which outlive them until somebody joins them or they are detached.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "tsubu/eulash/thread.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/task/oneshot.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::placed {

struct thread_record {
  std::uint64_t result = 0;
  bool ended = false;
  bool detached = false;
  oneshot<void>* joiner = nullptr;
};

struct joined {
  std::uint64_t result = 0;
  int error = 0;
};

class threads {
 public:
  // A new thread of this process, which calls body(argument); `creator` waits for this, and is 0 of main. Its number.
  std::uint64_t start(void* (*body)(void*), void* argument, bool detached, std::uint64_t stack_bytes,
                      std::uint64_t creator, std::uint64_t ordinal);
  // Awaited.
  task<joined> join(std::uint64_t number);
  int detach(std::uint64_t number);

  // How many the program has created, main included: at process 0 only.
  std::uint64_t created = 1;
  // The program has called exit(), or main has returned.
  bool ended = false;

 private:
  void run(std::uint64_t number, std::uint64_t ordinal, void* (*body)(void*), void* argument);
  void end(std::uint64_t number, std::uint64_t result);

  std::uint64_t last_ = 0;
  std::unordered_map<std::uint64_t, thread_record> records_;
};

inline const pe_local<threads> threads_here;

// "thread 3 of process 1": its number there, main being the first of process 0.
std::string name_of_thread(std::uint64_t number);

inline pe_id process_of(std::uint64_t number) { return static_cast<pe_id>(number >> 40); }

// main(): its thread is the first of process 0. Awaited: gives what it returns, or what exit() was given.
task<int> run_main(int (*main)(int, char**), int argc, char** argv);

}  // namespace tsubu::placed
