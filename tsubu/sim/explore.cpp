#include "tsubu/sim/explore.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tsubu/base/check.hpp"
#include "tsubu/base/random.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/sim/driven.hpp"
#include "tsubu/sim/schedule.hpp"

namespace tsubu::sim {
namespace {

void explored_program_ended(int code, pe_id whose) { remote::current_pe->quiescence.program_ended(code, whose); }

task<void> to_its_end(task<int> (*program)()) {
  try {
    const int code = co_await program();
    at(0).past<explored_program_ended>(code, this_pe());
  } catch (...) {
    task_context::fail_uncaught(std::current_exception());
  }
}

// What the process that runs the seeds tells the one that started it.
struct progress {
  std::uint64_t seed = 0;  // that runs now
  std::uint64_t runs = 0;  // that passed
  std::uint64_t events = 0;
  bool over = false;
};

[[noreturn]] void refuse_exploring(const char* what) {
  end_job(exit_code::failed, std::string("tsubu: schedules cannot be explored: ") + what + ": " + std::strerror(errno));
}

void run_seeds(const machine& on, const exploration& what, task<int> (*program)(), progress& told) {
  // Jobs that come and go keep their memory.
  ::mallopt(M_TRIM_THRESHOLD, 1 << 28);
  ::mallopt(M_MMAP_THRESHOLD, 1 << 26);
  for (; told.seed < what.first + what.count; ++told.seed) {
    ::alarm(static_cast<unsigned>(what.wall_limit_s));
    transport::launch_settings how;
    how.pes = draw_pes(told.seed, what.pes);
    engine_settings settings;
    settings.seed = told.seed;
    settings.limit_ps = static_cast<std::int64_t>(what.limit_s * 1e12);
    const outcome came = simulate_once(on, how, settings, program);
    if (came.code != 0) std::_Exit(came.code);
    ++told.runs;
    told.events += came.events;
  }
  told.over = true;
  std::fflush(nullptr);
  std::_Exit(0);
}

// What the processes that have ended took of the cores.
double children_seconds() {
  rusage took{};
  ::getrusage(RUSAGE_CHILDREN, &took);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(took.ru_utime) + seconds(took.ru_stime);
}

std::string contents(int file) {
  std::string text(static_cast<std::size_t>(std::max<off_t>(::lseek(file, 0, SEEK_END), 0)), '\0');
  const ssize_t n = ::pread(file, text.data(), text.size(), 0);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

}  // namespace

int draw_pes(std::uint64_t seed, const std::vector<int>& pes) {
  random_source random(seed ^ 0x5045732d6f66);  // other numbers than the schedule's
  return pes[random.below(pes.size())];
}

outcome simulate_once(const machine& on, transport::launch_settings how, const engine_settings& settings,
                      task<int> (*program)()) {
  check_pes(on, how.pes);
  remote::pe::limits limits;
  if (settings.seed != 0) {
    const varied_sizes sizes = vary_sizes(settings.seed);
    if (how.batch_bytes == 0) how.batch_bytes = sizes.batch_bytes;
    if (how.hops == 0) how.hops = sizes.hops;
    how.row = sizes.row;
    if (sizes.least_batch_bytes != 0) limits.least_batch_bytes = sizes.least_batch_bytes;
    if (sizes.oldest_us != 0) limits.oldest_us = sizes.oldest_us;
  }
  fit_to(on, how);
  task_context of_nobody;
  const task_context_scope on_this_stack(of_nobody);
  engine all(on, how, settings, [&](transport::transport& end) {
    auto made = std::make_unique<remote::pe>(end, limits);
    made->enter();
    const task_context_scope of_the_pe(made->tasks);
    made->expect_programs(made->count());
    spawn(to_its_end(program));
    return driven(std::move(made));
  });
  outcome came{.code = all.run()};
  came.events = all.events();
  came.time_ps = all.time_ps();
  return came;
}

findings explore(const machine& on, const exploration& what, task<int> (*program)()) {
  require(!what.pes.empty(), "schedules are explored with at least one number of PEs");
  for (const int pes : what.pes) check_pes(on, pes);
  const double seconds_before = children_seconds();
  void* const page = ::mmap(nullptr, sizeof(progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const int said = ::memfd_create("what the jobs said", MFD_CLOEXEC);
  if (page == MAP_FAILED || said < 0) refuse_exploring("no memory to share");
  progress& told = *new (page) progress{.seed = what.first};
  findings found;
  while (!told.over) {
    std::fflush(nullptr);
    if (::ftruncate(said, 0) != 0 || ::lseek(said, 0, SEEK_SET) != 0) refuse_exploring("no memory to share");
    const pid_t child = ::fork();
    if (child < 0) refuse_exploring("no process");
    if (child == 0) {
      ::dup2(said, STDERR_FILENO);
      run_seeds(on, what, program, told);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
      if (errno != EINTR) refuse_exploring("the process is lost");
    }
    if (told.over) break;
    found.failures.push_back({.seed = told.seed,
                              .pes = draw_pes(told.seed, what.pes),
                              .code = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                              .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                              .said = contents(said)});
    if (static_cast<int>(found.failures.size()) >= what.most_failures) break;
    if (++told.seed == what.first + what.count) break;
  }
  found.runs = told.runs + found.failures.size();
  found.events = told.events;
  ::munmap(page, sizeof(progress));
  ::close(said);
  found.seconds = children_seconds() - seconds_before;
  return found;
}

}  // namespace tsubu::sim
