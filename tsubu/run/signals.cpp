#include "tsubu/run/signals.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <span>

#include "tsubu/base/host_clock.hpp"
#include "tsubu/base/signal_line.hpp"
#include "tsubu/run/forked.hpp"
#include "tsubu/run/presence.hpp"

namespace tsubu::run_detail {
namespace {

constexpr std::size_t handler_stack_bytes = std::size_t{128} << 10;
constexpr unsigned longest_lookup_s = 10;

struct known_signal {
  int number;
  const char* name;
  const char* meaning;
};
constexpr std::array<known_signal, 5> crashes{{{SIGSEGV, "SIGSEGV", "memory that is not there"},
                                               {SIGBUS, "SIGBUS", "memory that cannot be reached"},
                                               {SIGFPE, "SIGFPE", "arithmetic that has no result"},
                                               {SIGILL, "SIGILL", "an instruction that does not exist"},
                                               {SIGABRT, "SIGABRT", "abort()"}}};
constexpr std::array<known_signal, 3> requests{
    {{SIGTERM, "SIGTERM", ""}, {SIGINT, "SIGINT", ""}, {SIGHUP, "SIGHUP", ""}}};

const known_signal& known(std::span<const known_signal> all, int number) {
  for (const known_signal& one : all) {
    if (one.number == number) return one;
  }
  return all.front();
}

// A crash that nobody handled before MPI began, and who has handled it since.
struct handled_by_mpi {
  bool free_before = false;
  bool taken = false;
  struct sigaction action{};
};
constinit std::array<handled_by_mpi, crashes.size()> of_mpi{};
constinit std::array<bool, requests.size()> request_free_before{};

constinit std::array<char, 4096> own_program{};
constinit std::atomic<bool> dying{false};
constinit std::atomic<bool> request_told{false};
constinit std::int64_t began_ns = 0;

void die_by(int number) {
  std::signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  ::raise(number);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::_exit(128 + number);
}

// Where the thread was: its next instruction, and the end of its stack.
struct interrupted {
  std::uintptr_t instruction = 0;
  std::uintptr_t stack = 0;
};

interrupted interrupted_in(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return {static_cast<std::uintptr_t>(registers.gregs[REG_RIP]), static_cast<std::uintptr_t>(registers.gregs[REG_RSP])};
#elif defined(__aarch64__)
  return {static_cast<std::uintptr_t>(registers.pc), static_cast<std::uintptr_t>(registers.sp)};
#else
  static_cast<void>(registers);
  return {};
#endif
}

// A call or a local variable has touched what lies next to the end of the stack.
bool is_overflow(int number, const siginfo_t& info, interrupted at) {
  constexpr std::uintptr_t near = std::uintptr_t{64} << 10;
  const auto touched = reinterpret_cast<std::uintptr_t>(info.si_addr);
  return number == SIGSEGV && info.si_code > 0 && at.stack != 0 && touched + near > at.stack &&
         touched < at.stack + near;
}

// A frame's place in the file that it comes from: what addr2line asks for.
struct frame {
  const char* file;
  std::uintptr_t offset;
};

// after_call: the address is that of the instruction after a call, which may belong to another line.
frame frame_at(void* address, bool after_call) {
  const auto place = reinterpret_cast<std::uintptr_t>(address) - (after_call ? 1 : 0);
  dl_find_object found{};
  if (::_dl_find_object(address, &found) != 0 || found.dlfo_link_map == nullptr) return {"?", place};
  const link_map& in = *found.dlfo_link_map;
  return {in.l_name != nullptr && *in.l_name != '\0' ? in.l_name : own_program.data(), place - in.l_addr};
}

void print_raw(std::span<const frame> frames) {
  for (const frame& one : frames) {
    ((signal_line() << "  " << one.file << " +").hex(one.offset) << "\n").print();
  }
}

// Frames of one file, by a child process.
void print_names(std::span<const frame> frames) {
  constexpr std::size_t most = 64;
  std::array<signal_line, most> offsets;
  std::array<const char*, most + 8> words{"addr2line", "-C", "-f", "-i", "-p", "-s", "-e", frames.front().file};
  for (std::size_t i = 0; i < frames.size() && i < most; ++i) {
    words[8 + i] = offsets[i].hex(frames[i].offset).text();
    if (9 + i < words.size()) words[9 + i] = nullptr;
  }
  const pid_t child = ::_Fork();  // fork() would take the locks of malloc, which this thread may hold
  if (child == 0) {
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    std::signal(SIGALRM, SIG_DFL);
    ::alarm(longest_lookup_s);
    ::execvp("addr2line", const_cast<char* const*>(words.data()));
    ::_exit(127);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0) print_raw(frames);
}

void print_trace(interrupted at) {
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(2 * longest_lookup_s);             // whatever state the process is in: it ends
  constexpr std::size_t most = 48, own = 2;  // ours, and what the kernel returns to
  std::array<void*, most> addresses{};
  const auto count = static_cast<std::size_t>(::backtrace(addresses.data(), most));
  std::array<frame, most> frames{};
  std::size_t taken = 0;
  for (std::size_t i = own; i < count; ++i)
    frames[taken++] = frame_at(addresses[i], reinterpret_cast<std::uintptr_t>(addresses[i]) != at.instruction);
  if (taken == 0) return;
  (signal_line() << "tsubu: it was here, the innermost call first:\n").print();
  for (std::size_t first = 0; first < taken;) {
    std::size_t end = first + 1;
    while (end < taken && std::strcmp(frames[end].file, frames[first].file) == 0) ++end;
    const std::span<const frame> of_file(frames.data() + first, end - first);
    if (*frames[first].file == '?') {
      print_raw(of_file);
    } else {
      print_names(of_file);
    }
    first = end;
  }
}

signal_line& say_who(signal_line& to) {
  const pe_id pe = own_pe();
  return pe == no_pe ? to << "a thread that is no PE" : to << "PE " << pe;
}

// From now on MPI's handlers are what they would be without this. True if there is one for this signal; it is called
// once the handler that runs has returned.
bool leave_to_mpi(int number, const siginfo_t& info) {
  bool handles_it = false;
  for (std::size_t i = 0; i < crashes.size(); ++i) {
    if (!of_mpi[i].taken) continue;
    ::sigaction(crashes[i].number, &of_mpi[i].action, nullptr);
    handles_it = handles_it || crashes[i].number == number;
  }
  // What the processor has refused it will refuse again, and what was sent to the process is sent again.
  if (handles_it && info.si_code <= 0) ::raise(number);
  return handles_it;
}

void on_crash(int number, siginfo_t* info, void* context) {
  if (dying.exchange(true)) {
    for (;;) ::pause();  // another thread is telling what happened to it, and ends the process
  }
  signal_line told;
  const known_signal& what = known(crashes, number);
  const interrupted at = interrupted_in(context);
  say_who(told << "tsubu: ") << ": ";
  if (is_overflow(number, *info, at)) {
    told << "stack overflow: calls are nested too deep (SIGSEGV)";
  } else {
    told << what.name << ": " << what.meaning;
    if ((number == SIGSEGV || number == SIGBUS) && info->si_code > 0)
      (told << ", at ").hex(reinterpret_cast<std::uintptr_t>(info->si_addr));
    // What belongs to the PE of a thread is near 0 where there is none.
    constexpr std::uintptr_t near_null = 1U << 16;
    if (number == SIGSEGV && own_pe() == no_pe && reinterpret_cast<std::uintptr_t>(info->si_addr) < near_null)
      told << "; a thread that is no PE sends and asks through a gate()";
  }
  (told << "\n").print();
  if (is_forked_child()) {
    (signal_line()
     << "tsubu:   that was a child process that it has forked, which ends alone: memory that ranks share is "
        "not the child's\n")
        .print();
    die_by(number);
  }
  if (leave_to_mpi(number, *info)) return;
  print_trace(at);
  die_by(number);
}

void on_request(int number) {
  if (!dying.exchange(true)) {
    (signal_line() << "tsubu: " << known(requests, number).name << " ends the job, "
                   << (host_ns() - began_ns) / 1'000'000'000 << " s after it began\n")
        .print();
    request_told = true;
  }
  // Another thread's line first; but not for ever, for it may be this one that was interrupted in the midst of it.
  for (int looks = 0; !request_told && looks < 100; ++looks) ::poll(nullptr, 0, 1);
  die_by(number);
}

bool is_free(int number) {
  struct sigaction now{};
  return ::sigaction(number, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL;
}

void handle_crashes() {
  struct sigaction how{};
  how.sa_flags = SA_SIGINFO | SA_ONSTACK;
  how.sa_sigaction = on_crash;
  for (std::size_t i = 0; i < crashes.size(); ++i) {
    const int number = crashes[i].number;
    if (is_free(number)) {
      ::sigaction(number, &how, nullptr);
    } else if (of_mpi[i].free_before) {
      of_mpi[i].taken = ::sigaction(number, &how, &of_mpi[i].action) == 0;
    }
  }
}

void set_handlers() {
  const ssize_t length = ::readlink("/proc/self/exe", own_program.data(), own_program.size() - 1);
  if (length < 0) own_program[0] = '?';
  began_ns = host_ns();
  std::array<void*, 1> warm{};
  ::backtrace(warm.data(), 1);  // the first call loads a library

  handle_crashes();
  struct sigaction how{};
  how.sa_flags = SA_ONSTACK;
  how.sa_handler = on_request;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const int number = requests[i].number;
    // UCX has a use of its own for SIGHUP (UCX_DEBUG_SIGNO), after which a job whose terminal is gone would stay.
    if (is_free(number) || request_free_before[i]) ::sigaction(number, &how, nullptr);
  }
  if (is_free(SIGXFSZ)) std::signal(SIGXFSZ, SIG_IGN);  // the write fails, and who writes says who and what
}

}  // namespace

void mpi_may_handle_signals() {
  for (std::size_t i = 0; i < crashes.size(); ++i) of_mpi[i].free_before = is_free(crashes[i].number);
  for (std::size_t i = 0; i < requests.size(); ++i) request_free_before[i] = is_free(requests[i].number);
}

signal_watch::signal_watch() {
  static std::once_flag once;
  std::call_once(once, set_handlers);
  stack_t now{};
  if (::sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
  void* const room =
      ::mmap(nullptr, handler_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return;
  stack_ = static_cast<char*>(room);
  stack_t own{};
  own.ss_sp = stack_;
  own.ss_size = handler_stack_bytes;
  ::sigaltstack(&own, nullptr);
}

signal_watch::~signal_watch() {
  if (stack_ == nullptr) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  ::sigaltstack(&none, nullptr);
  ::munmap(stack_, handler_stack_bytes);
}

}  // namespace tsubu::run_detail
