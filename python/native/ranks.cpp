#include "python/native/ranks.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "python/native/job_pes.hpp"
#include "python/native/kept.hpp"
#include "tsubu/base/check.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/run/job_words.hpp"
#include "tsubu/run/run.hpp"
#include "tsubu/run/thread_session.hpp"
#include "tsubu/run/transports.hpp"

namespace tsubu::python {
namespace {

// What one PE has no memory for, none has.
struct outcome {
  std::exception_ptr error;  // of this PE
  bool no_memory_elsewhere = false;
};

// Runs a command here, and returns when it is over on all PEs.
task<outcome> run_and_meet(command& what) {
  outcome made;
  bool no_memory = false;
  try {
    co_await what.run_here();
  } catch (const std::bad_alloc&) {
    made.error = std::current_exception();
    no_memory = true;
  } catch (...) {
    made.error = std::current_exception();
  }
  co_await quiescence();
  const int any = co_await all_reduce(no_memory ? 1 : 0, reduce::max);
  co_await quiescence();  // whose end leaves nothing behind that this PE still has to send
  made.no_memory_elsewhere = any != 0 && !no_memory;
  co_return made;
}

// The first rank tells of a lack of memory; what else goes wrong here ends the job.
task<void> run_there(std::unique_ptr<command> what) {
  const outcome made = co_await run_and_meet(*what);
  if (made.error == nullptr) co_return;
  try {
    std::rethrow_exception(made.error);
  } catch (const std::bad_alloc&) {
  }
}

// Gives back what has these numbers, in their order; of none of them, all that there is.
class drop_numbers final : public command {
 public:
  explicit drop_numbers(std::vector<std::uint64_t> numbers) : numbers_(std::move(numbers)) {}
  task<void> run_here() override {
    if (numbers_.empty()) numbers_ = all_numbers_here();
    for (const std::uint64_t id : numbers_) co_await drop_here(id);
  }
  void ask(pe_id pe) const override;

 private:
  std::vector<std::uint64_t> numbers_;
};

void drop_too(std::vector<std::uint64_t> numbers) {
  run_beside_first(std::make_unique<drop_numbers>(std::move(numbers)));
}
void drop_numbers::ask(pe_id pe) const { at(pe).past<drop_too>(numbers_); }

// By PE 0.
task<std::exception_ptr> run_on_all(command& what) {
  for (pe_id pe = 1; pe < pe_count(); ++pe) what.ask(pe);
  const outcome made = co_await run_and_meet(what);
  if (made.error != nullptr || !made.no_memory_elsewhere) co_return made.error;
  co_return std::make_exception_ptr(std::bad_alloc());
}

task<int> drive(arguments);

// What the threads of Python and the thread of PE 0 share.
class driver {
 public:
  static driver& of_process() {
    static driver& one = *new driver;  // it stays: a child of this process has its thread no more
    return one;
  }

  // By threads of Python, one at a time.
  pe_id begin();
  void start(command* what, std::vector<std::uint64_t> dropped);
  bool wait_for(std::chrono::milliseconds most);
  void finish();
  void end();
  bool has_ended() {
    const std::lock_guard lock(alone_);
    return has_ended_;
  }

  // By PE 0.
  struct request {
    command* what = nullptr;  // null: that was all
    std::vector<std::uint64_t> dropped;
  };
  void is_there(pe_id pes);
  request next_request();
  void is_over(const std::exception_ptr& error);

 private:
  void run();
  bool over() const { return is_over_ || has_ended_; }
  [[noreturn]] void tell_ended() const {
    throw run_detail::session_failed(code_, "tsubu: the job of all ranks has ended with " + std::to_string(code_));
  }

  std::thread first_;
  bool ends_ = false;

  std::mutex alone_;
  std::condition_variable asked_, answered_;
  // Under the lock.
  pe_id pes_ = 0;  // 0: not there yet
  request now_;
  bool is_asked_ = false;
  bool is_over_ = true;
  std::exception_ptr error_;
  bool has_ended_ = false;
  int code_ = 0;
};

// Signals are for the threads of Python, but for those that tell of an error of this thread.
void leave_signals_to_others() {
  sigset_t all;
  ::sigfillset(&all);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) ::sigdelset(&all, fault);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

std::vector<std::string> options;
pid_t used_by = 0;  // this process, if jobs are on the ranks

int run_ranks() {
  run_detail::job_words words(options);
  return tsubu::run(words.count(), words.pointers(), drive);
}

void driver::run() {
  leave_signals_to_others();
  const int code = run_ranks();
  const std::lock_guard lock(alone_);
  has_ended_ = true;
  code_ = code;
  answered_.notify_all();
}

pe_id driver::begin() {
  if (!first_.joinable() && !has_ended()) first_ = std::thread([this] { run(); });
  std::unique_lock lock(alone_);
  answered_.wait(lock, [&] { return pes_ != 0 || has_ended_; });
  if (has_ended_) tell_ended();
  return pes_;
}

void driver::start(command* what, std::vector<std::uint64_t> dropped) {
  const std::lock_guard lock(alone_);
  if (has_ended_) tell_ended();
  now_ = {what, std::move(dropped)};
  is_asked_ = true;
  is_over_ = false;
  asked_.notify_all();
}

bool driver::wait_for(std::chrono::milliseconds most) {
  std::unique_lock lock(alone_);
  return answered_.wait_for(lock, most, [&] { return over(); });
}

void driver::finish() {
  std::unique_lock lock(alone_);
  answered_.wait(lock, [&] { return over(); });
  if (has_ended_) tell_ended();
  if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
}

// The others wait in MPI's beginning for who has not begun.
void driver::end() {
  if (ends_) return;
  ends_ = true;
  try {
    begin();
    start(nullptr, {});
  } catch (const run_detail::session_failed&) {
    // A line has said why, and all ranks have ended.
  }
  if (first_.joinable()) first_.join();
}

void driver::is_there(pe_id pes) {
  const std::lock_guard lock(alone_);
  pes_ = pes;
  answered_.notify_all();
}

driver::request driver::next_request() {
  std::unique_lock lock(alone_);
  asked_.wait(lock, [&] { return is_asked_; });
  is_asked_ = false;
  return std::move(now_);
}

void driver::is_over(const std::exception_ptr& error) {
  const std::lock_guard lock(alone_);
  error_ = error;
  is_over_ = true;
  answered_.notify_all();
}

// The thread sleeps between two commands: nothing is under way then.
task<int> drive(arguments) {
  driver& here = driver::of_process();
  here.is_there(pe_count());
  for (;;) {
    driver::request asked = here.next_request();
    if (asked.what == nullptr) co_return 0;
    if (!asked.dropped.empty()) {
      drop_numbers first(std::move(asked.dropped));
      static_cast<void>(co_await run_on_all(first));
    }
    const std::exception_ptr error = co_await run_on_all(*asked.what);
    here.is_over(error);
  }
}

bool job_is_open = false;  // on the ranks: of the thread that has made it, and of who closes it then

class rank_pes final : public job_pes {
 public:
  explicit rank_pes(const std::vector<std::string>& words) {
    if (job_is_open) {
      throw run_detail::session_failed(exit_code::usage,
                                       "tsubu: a session of this process goes on: end that one first");
    }
    if (!words.empty()) {
      throw run_detail::session_failed(exit_code::usage,
                                       "tsubu: " + words.front() +
                                           " is for a job on threads: under mpirun all ranks are given the same by "
                                           "variables that begin with TSUBU_");
    }
    count_ = driver::of_process().begin();
    job_is_open = true;
  }
  ~rank_pes() override {
    if (!ranks_are_used()) return;
    drop_numbers all({});
    try {
      start(all, {});
      finish();
    } catch (const run_detail::session_failed&) {
      // The job has ended, and so has all that its PEs had.
    }
    job_is_open = false;
  }

  pe_id count() const override { return count_; }
  bool has_failed() const override { return driver::of_process().has_ended(); }
  bool share_memory() const override { return false; }
  void start(command& what, std::vector<std::uint64_t> dropped) override {
    driver::of_process().start(&what, std::move(dropped));
  }
  bool wait_for(std::chrono::milliseconds most) override { return driver::of_process().wait_for(most); }
  void finish() override { driver::of_process().finish(); }

 private:
  pe_id count_ = 0;
};

}  // namespace

int launched_ranks() { return run_detail::launched_ranks(); }
int launched_rank() { return run_detail::launched_rank(); }

void use_ranks(std::vector<std::string> words) {
  options = std::move(words);
  used_by = ::getpid();
}
bool ranks_are_used() { return used_by == ::getpid(); }

void run_beside_first(std::unique_ptr<command> what) { spawn(run_there(std::move(what))); }

void serve_first_rank() {
  const int code = run_ranks();
  std::fflush(nullptr);
  std::exit(code);
}

void end_ranks() {
  if (ranks_are_used()) driver::of_process().end();
}

std::unique_ptr<job_pes> pes_on_ranks(const std::vector<std::string>& words) {
  return std::make_unique<rank_pes>(words);
}

}  // namespace tsubu::python
