#include "tsubu/eulash/threads.hpp"

#include <alloca.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/base/simulated_machine.hpp"
#include "tsubu/base/standard_output.hpp"
#include "tsubu/eulash/access.hpp"
#include "tsubu/eulash/emitted.h"
#include "tsubu/eulash/globals.hpp"
#include "tsubu/eulash/libc.h"
#include "tsubu/eulash/place.hpp"
#include "tsubu/eulash/races.hpp"
#include "tsubu/eulash/stacks.hpp"
#include "tsubu/eulash/thread_keys.hpp"
#include "tsubu/eulash/threads.h"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/task/fiber_on.hpp"
#include "tsubu/task/sleep.hpp"

extern "C" {
extern const eulash_thread_places eulash_places __attribute__((weak));
}

namespace tsubu::placed {
namespace {

// As much as the system gives; what is not used is addresses only.
constexpr std::uint64_t default_stack = 8U << 20;

// What main() ends with, at process 0.
struct program_end {
  oneshot<int>* code = nullptr;
  bool main_has_left = false;  // by pthread_exit(): the others go on, and the job ends when they have
};
const pe_local<program_end> program_ends;

void stop_threads() { threads_here->ended = true; }

// At process 0. The first end counts.
void end_program(int code) {
  oneshot<int>* const waits = std::exchange(program_ends->code, nullptr);
  if (waits == nullptr) {
    require(!program_ends->main_has_left || code == 0,
            "exit({}) comes after main has left by pthread_exit(), whose program ends with 0", code);
    return;
  }
  for (pe_id pe = 1; pe < pe_count(); ++pe) at(pe).past<&stop_threads>();
  stop_threads();
  waits->set_value(code);
}

constexpr std::uint64_t number_of_main = 1;  // the first of process 0

void leave_main() {
  oneshot<int>* const waits = std::exchange(program_ends->code, nullptr);
  program_ends->main_has_left = waits != nullptr;
  if (waits != nullptr) waits->set_value(0);
}

std::uint64_t count_creation() { return threads_here->created++; }

std::uint64_t start_thread(std::uint64_t start, std::uint64_t argument, bool detached, std::uint64_t stack_bytes,
                           std::uint64_t creator, std::uint64_t ordinal) {
  return threads_here->start(reinterpret_cast<void* (*)(void*)>(start), reinterpret_cast<void*>(argument), detached,
                             stack_bytes, creator, ordinal);
}

task<joined> join_thread(std::uint64_t number) { co_return co_await threads_here->join(number); }
int detach_thread(std::uint64_t number) { return threads_here->detach(number); }

void stack_is_free(void* bottom, std::size_t) { stacks_here->give_back(reinterpret_cast<std::uintptr_t>(bottom)); }

struct thread_place {
  pe_id process;
  std::uint64_t ordinal;
};

// Where a new thread runs: the program's choice; that of a profile; or the next process in turn.
thread_place place_of_next() {
  const pe_id chosen = std::exchange(running->next_process, no_pe);
  if (chosen != no_pe) return {chosen % pe_count(), thread::without_ordinal};
  const std::uint64_t number = views->me == 0 ? count_creation() : wait_here(at(0).now<&count_creation>());
  if (&eulash_places != nullptr && eulash_places.processes == pe_count() && number < eulash_places.count)
    return {eulash_places.process_of[number], number};
  return {static_cast<pe_id>(number % static_cast<std::uint64_t>(pe_count())), number};
}

struct wanted_thread {
  bool detached = false;
  std::uint64_t stack_bytes = default_stack;
};
wanted_thread wanted(const pthread_attr_t* attr) {
  if (attr == nullptr) return {};
  pthread_attr_t own;
  copy_out(reinterpret_cast<std::uintptr_t>(attr), &own, sizeof own);
  int state = 0;
  std::size_t bytes = 0;
  pthread_attr_getdetachstate(&own, &state);
  pthread_attr_getstacksize(&own, &bytes);
  return {state == PTHREAD_CREATE_DETACHED, std::max<std::uint64_t>(default_stack, bytes)};
}

// A main without parameters is called with two, as the system does.
#ifdef __clang__
[[clang::no_sanitize("function")]]
#endif
int call_main(int (*main)(int, char**), int argc, char** argv) {
  return main(argc, argv);
}

}  // namespace

void stop_if_ended() {
  if (!threads_here->ended) [[likely]]
    return;
  oneshot<void> never(nullptr);
  wait(never);
  fail("a thread goes on after the end of its program");
}

void let_others_run() {
  const resumed back;
  // Time passes in a loop that waits for what another process does, or a simulated one would never come to do it: about
  // what a loop computes until it looks for messages.
  if (simulated != nullptr) return wait(sleep_for(std::chrono::microseconds(1)));
  fiber_yield();
  // This thread computes on: what others have been answered meanwhile does not wait for a batch to be full or old.
  auto& sent = remote::current_pe->messages;
  if (sent.has_unsent()) sent.flush(message::flush_reason::idle);
}

std::string name_of_thread(std::uint64_t number) {
  return fmt::format("thread {} of process {}", number & ((std::uint64_t{1} << 40) - 1), number >> 40);
}

std::uint64_t threads::start(void* (*body)(void*), void* argument, bool detached, std::uint64_t stack_bytes,
                             std::uint64_t creator, std::uint64_t ordinal) {
  const std::uint64_t number = static_cast<std::uint64_t>(views->me) << 40 | ++last_;
  records_[number].detached = detached;
  const range stack = stacks_here->take(stack_bytes + bytes_of_own_variables());
  if (looks_for_races()) {
    races_of_job().begin_thread(number, creator);
    races_of_job().forget(stack.begin, stack.bytes);
  }
  spawn_fiber_on(reinterpret_cast<void*>(stack.begin), stack.bytes, &stack_is_free,
                 [this, number, ordinal, body, argument] { run(number, ordinal, body, argument); });
  return number;
}

void threads::run(std::uint64_t number, std::uint64_t ordinal, void* (*body)(void*), void* argument) {
  thread self;
  self.number = number;
  self.ordinal = ordinal;
  self.own = make_own_variables(static_cast<char*>(alloca(bytes_of_own_variables())));
  running = &self;
  views->enter();
  std::jmp_buf end;
  self.end = &end;
  if (setjmp(end) == 0) {
    self.result = body(argument);
  } else if (number == number_of_main) {
    leave_main();
  }
  destroy_own_values(self);
  this->end(number, reinterpret_cast<std::uintptr_t>(self.result));
  running = nullptr;
}

void threads::end(std::uint64_t number, std::uint64_t result) {
  thread_record& of = records_[number];
  of.ended = true;
  of.result = result;
  if (of.joiner != nullptr) return of.joiner->set_value();
  if (of.detached) records_.erase(number);
}

task<joined> threads::join(std::uint64_t number) {
  const auto at = records_.find(number);
  if (at == records_.end()) co_return joined{0, ESRCH};
  if (at->second.detached || at->second.joiner != nullptr) co_return joined{0, EINVAL};
  if (!at->second.ended) {
    oneshot<void> ends(nullptr);  // who joins reports where it waits
    at->second.joiner = &ends;
    co_await ends;
  }
  const std::uint64_t result = records_[number].result;
  records_.erase(number);
  co_return joined{result, 0};
}

int threads::detach(std::uint64_t number) {
  const auto at = records_.find(number);
  if (at == records_.end()) return ESRCH;
  if (at->second.detached) return EINVAL;
  at->second.detached = true;
  if (at->second.ended) records_.erase(at);
  return 0;
}

task<int> run_main(int (*main)(int, char**), int argc, char** argv) {
  oneshot<int> code(nullptr);
  program_ends->code = &code;
  struct first {
    int (*main)(int, char**);
    int argc;
    char** argv;
  };
  // It lives as long as main() does: this task waits for its end.
  first arguments{main, argc, argv};
  threads_here->start(
      [](void* given) -> void* {
        const first a = *static_cast<first*>(given);
        end_program(call_main(a.main, a.argc, a.argv));
        return nullptr;
      },
      &arguments, true, default_stack, 0, 0);
  co_return co_await code;
}

}  // namespace tsubu::placed

using namespace tsubu;
using placed::wait_here;

extern "C" {

int eulash_create_at(pthread_t* to, const pthread_attr_t* attr, void* (*start)(void*), void* argument,
                     eulash_line where) {
  const placed::wanted_thread how = placed::wanted(attr);
  const auto [process, ordinal] = placed::place_of_next();
  const std::uint64_t creator = placed::running->number;
  const pthread_t number =
      process == placed::views->me
          ? placed::threads_here->start(start, argument, how.detached, how.stack_bytes, creator, ordinal)
          : wait_here(at(process).now<&placed::start_thread>(reinterpret_cast<std::uintptr_t>(start),
                                                             reinterpret_cast<std::uintptr_t>(argument), how.detached,
                                                             how.stack_bytes, creator, ordinal),
                      placed::source_location_of(*where));
  eulash_store(to, &number, sizeof number);
  return 0;
}

int eulash_join_at(pthread_t number, void** result, eulash_line where) {
  if (placed::running != nullptr && placed::running->number == number) return EDEADLK;
  const pe_id process = placed::process_of(number);
  if (process >= pe_count()) return ESRCH;
  const placed::joined j =
      wait_here(at(process).now<&placed::join_thread>(std::uint64_t{number}), placed::source_location_of(*where));
  if (j.error == 0 && placed::looks_for_races()) {
    placed::races_of_job().join_thread(placed::running->number, number);
  }
  if (j.error == 0 && result != nullptr) {
    void* const value = reinterpret_cast<void*>(j.result);
    eulash_store(result, &value, sizeof value);
  }
  return j.error;
}

int eulash_pthread_detach(pthread_t number) {
  const pe_id process = placed::process_of(number);
  if (process >= pe_count()) return ESRCH;
  return wait_here(at(process).now<&placed::detach_thread>(std::uint64_t{number}));
}

char* eulash_own_data() { return placed::running->own; }
pthread_t eulash_pthread_self() { return placed::running->number; }
int eulash_pthread_equal(pthread_t a, pthread_t b) { return a == b ? 1 : 0; }

void eulash_pthread_exit(void* result) {
  placed::running->result = result;
  std::longjmp(*placed::running->end, 1);
}

int eulash_sched_yield() {
  placed::let_others_run();
  return 0;
}

void eulash_next_process(int process) { placed::running->next_process = process; }
int eulash_process() { return this_pe(); }
int eulash_process_count() { return pe_count(); }

void eulash_exit(int code) {
  if (this_pe() == 0) {
    placed::end_program(code);
  } else {
    at(0).past<&placed::end_program>(code);
    placed::threads_here->ended = true;
  }
  placed::stop_if_ended();
  fail("exit() comes back");
}

void eulash_abort() {
  flush_output();
  fail("the program has called abort()");
}

}  // extern "C"
