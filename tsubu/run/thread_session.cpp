#include "tsubu/run/thread_session.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/base/described_error.hpp"
#include "tsubu/base/job_names.hpp"
#include "tsubu/base/line_teller.hpp"
#include "tsubu/base/settings.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/remote/termination/standstill.hpp"
#include "tsubu/run/early_end.hpp"
#include "tsubu/run/job.hpp"
#include "tsubu/run/job_words.hpp"
#include "tsubu/run/transports.hpp"
#include "tsubu/transport/threads/threads.hpp"

namespace tsubu::run_detail {
namespace {

std::atomic<bool> session_is_open{false};

// The end of a thread that can do nothing any more, and whose stack must stay.
[[noreturn]] void stand_still_for_ever() {
  for (;;) ::pause();
}

// While it lives, this thread gets no signal from outside, nor do those that it starts: the program's own threads do.
class no_signals {
 public:
  no_signals() {
    sigset_t all;
    ::sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) ::sigdelset(&all, fault);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  no_signals(const no_signals&) = delete;
  no_signals& operator=(const no_signals&) = delete;
  ~no_signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

// What reading the options ends the job with, thrown through end_job().
struct not_begun {
  int code;
};

// While it lives, what would end the process is thrown, and told to nobody else.
class thrown_ends {
 public:
  thrown_ends() {
    detail::set_line_teller(
        {[](void* to, std::string_view line) { static_cast<std::string*>(to)->append(line); }, &lines});
    set_job_ender({no_pe, [](void*, int code) { throw not_begun{code}; }, nullptr});
  }
  thrown_ends(const thrown_ends&) = delete;
  thrown_ends& operator=(const thrown_ends&) = delete;
  ~thrown_ends() {
    end_other_ranks_too();
    detail::set_line_teller({});
  }
  std::string lines;
};

job checked_job(const std::vector<std::string>& given) {
  job_words words(given);
  settings options = read_settings(words.count(), words.pointers());
  if (options.help) end_job(exit_code::usage, "tsubu: --tsubu-help is for programs that run() starts");
  if (words.count() > 1)
    end_job(exit_code::usage, "tsubu: '" + std::string(words.pointers()[1]) + "' is no option of Tsubu");
  if (options.transport.empty()) options.transport = "threads";
  if (options.transport != "threads")
    end_job(exit_code::usage, "tsubu: the PEs of this job are threads of its process: transport " + options.transport +
                                  " is for programs that run() starts");
  choose_transport(options);
  job made{
      nullptr, false, arguments(words.count(), words.pointers()), options, profile_of_job(options, words.pointers()[0]),
      true};
  check_job(made);
  return made;
}

job read_job(const std::vector<std::string>& given) {
  const thrown_ends here;
  try {
    return checked_job(given);
  } catch (const not_begun& ended) {
    throw session_failed(ended.code, here.lines);
  }
}

struct run_over {
  bool done = false;
  std::exception_ptr error;
};

task<void> run_of_session(thread_session::program program, void* argument, run_over* over) {
  try {
    co_await program(argument);
  } catch (...) {
    over->error = std::current_exception();
  }
  co_await quiescence();
  co_await barrier();
  co_await quiescence();  // whose end leaves nothing behind that this PE still has to send
  over->done = true;
}

// Until the run is over here, or nobody's any more. False: it will never be.
bool step_until(remote::pe& pe, const bool& done, const std::atomic<bool>& failed) {
  const int spins = pe.transport().spin_polls();
  for (int idle_turns = 0; !done;) {
    if (failed.load(std::memory_order_relaxed) || pe.quiescence.ended()) return false;
    pe.begin_turn();
    const std::int64_t may_sleep_ns = std::min(pe.end_turn(), remote::pe::longest_sleep_ns);
    if (may_sleep_ns <= 0) idle_turns = 0;
    if (may_sleep_ns <= 0 || ++idle_turns < spins) continue;
    const std::int64_t from_ns = pe.tasks.now();
    pe.before_sleep();
    pe.transport().wait((may_sleep_ns + 999) / 1000);
    pe.after_sleep(pe.tasks.now() - from_ns);
  }
  return true;
}

}  // namespace

// What the caller and the PEs share. The PEs have it, too: those that stand still for ever keep it.
class thread_session::host {
 public:
  explicit host(job of) : of_(std::move(of)) {}

  // By the caller.
  static void begin(const std::shared_ptr<host>& self);
  void start(program of_each_pe, void* argument);
  bool wait_for(std::chrono::milliseconds most);
  void finish();
  void end();
  bool failed() const { return failed_.load(); }
  bool of_this_process() const { return process_ == ::getpid(); }
  pe_id pes() const { return pes_; }

 private:
  // What a PE's thread is asked to do.
  struct request {
    std::uint64_t number = 0;  // of the run
    program of_each_pe = nullptr;
    void* argument = nullptr;
    bool to_end = false;
  };

  static int run_pe(transport::transport& end, void* self);
  static void give_up(void* self, int code);
  static void hear(void* self, std::string_view line);
  void serve(transport::transport& end);
  void serve_runs(remote::pe& pe);
  void is_there(transport::transport& end);
  request next_request(std::uint64_t behind);
  void run_is_over(pe_id pe, const std::exception_ptr& error);
  [[noreturn]] void stop_all(int code);
  bool over() const { return runs_over_ == pes_ || failed_.load(); }

  const job of_;
  const pid_t process_ = ::getpid();
  std::thread first_;  // carries PE 0 and has started the others
  std::optional<const detail::running_job> until_it_ends_;

  std::mutex alone_;
  std::condition_variable asked_, answered_;
  // Under the lock.
  request now_;
  pe_id pes_ = 0;  // of the job; known when the first is there
  pe_id pes_there_ = 0;
  pe_id runs_over_ = 0;                      // PEs where the run is over
  std::vector<std::exception_ptr> errors_;   // of the run, by PE
  std::vector<transport::transport*> ends_;  // of PEs that run
  std::string lines_;
  int code_ = 0;
  bool has_ended_ = false;
  std::atomic<bool> failed_{false};  // set under the lock
};

void thread_session::host::begin(const std::shared_ptr<host>& self) {
  self->until_it_ends_.emplace();
  remote::standstill_ends_job_only = true;
  keep_memory_for_last_words();
  {
    const no_signals here;
    self->first_ = std::thread([self] {
      set_job_ender({no_pe, give_up, self.get()});
      detail::set_line_teller({hear, self.get()});
      const transport::job_body one_thread_each(run_pe);
      transport::threads_launcher()(launch_settings_of(self->of_.options), one_thread_each, self.get());
      set_job_ender({});
      detail::set_line_teller({});
    });
  }
  std::unique_lock lock(self->alone_);
  self->answered_.wait(lock,
                       [&] { return self->failed_.load() || (self->pes_ != 0 && self->pes_there_ == self->pes_); });
}

void thread_session::host::start(program of_each_pe, void* argument) {
  const std::lock_guard lock(alone_);
  if (failed()) throw session_failed(code_, lines_);
  runs_over_ = 0;
  errors_.assign(static_cast<std::size_t>(pes_), nullptr);
  now_ = {now_.number + 1, of_each_pe, argument, false};
  asked_.notify_all();
}

bool thread_session::host::wait_for(std::chrono::milliseconds most) {
  std::unique_lock lock(alone_);
  return answered_.wait_for(lock, most, [&] { return over(); });
}

void thread_session::host::finish() {
  std::unique_lock lock(alone_);
  answered_.wait(lock, [&] { return over(); });
  if (failed()) throw session_failed(code_, lines_);
  for (const std::exception_ptr& error : errors_) {
    if (error != nullptr) std::rethrow_exception(error);
  }
}

// The threads of a session that has failed stay, and what they refer to.
void thread_session::host::end() {
  {
    std::unique_lock lock(alone_);
    answered_.wait(lock, [&] { return now_.number == 0 || over(); });
    now_ = {now_.number + 1, nullptr, nullptr, true};
    asked_.notify_all();
    answered_.wait(lock, [&] { return has_ended_ || failed(); });
  }
  until_it_ends_.reset();
  if (failed()) return first_.detach();
  first_.join();
  remote::standstill_ends_job_only = false;
}

// ---- by the PEs' threads

int thread_session::host::run_pe(transport::transport& end, void* self) {
  static_cast<host*>(self)->serve(end);
  return 0;
}

// As run_pe() of a job: the objects of the program are destroyed behind the PE's last turn, and their destructors may
// fail.
void thread_session::host::serve(transport::transport& end) {
  set_job_ender({end.pe(), give_up, this});
  detail::set_line_teller({hear, this});
  remote::stands_still = false;
  {
    std::unique_ptr<remote::pe> pe = start_pe(end, of_);
    const task_context_scope on_this_stack(pe->tasks);
    is_there(end);
    serve_runs(*pe);
    if (pe->number() == 0) pe->quiescence.program_ended(0, 0);
    pe->run_to_end();
    pe->leave();
    if (remote::stands_still) stop_all(exit_code::deadlock);
  }
  set_job_ender({});
  detail::set_line_teller({});
  const std::lock_guard lock(alone_);
  ends_.clear();
  if (--pes_there_ == 0) {
    has_ended_ = true;
    answered_.notify_all();
  }
}

void thread_session::host::serve_runs(remote::pe& pe) {
  for (std::uint64_t last = 0;;) {
    const request asked = next_request(last);
    if (asked.to_end) return;
    last = asked.number;
    run_over over;
    spawn(run_of_session(asked.of_each_pe, asked.argument, &over));
    if (!step_until(pe, over.done, failed_)) {
      if (over.error != nullptr) {
        hear(this, "tsubu: PE " + std::to_string(pe.number()) +
                       ": an exception left the program: " + detail::describe_exception(over.error));
      }
      stop_all(exit_code::deadlock);
    }
    run_is_over(pe.number(), over.error);
  }
}

void thread_session::host::is_there(transport::transport& end) {
  const std::lock_guard lock(alone_);
  pes_ = end.pe_count();
  ends_.push_back(&end);
  if (++pes_there_ == pes_) answered_.notify_all();
}

thread_session::host::request thread_session::host::next_request(std::uint64_t behind) {
  std::unique_lock lock(alone_);
  asked_.wait(lock, [&] { return now_.number > behind || failed(); });
  if (failed()) {
    lock.unlock();
    stand_still_for_ever();
  }
  return now_;
}

void thread_session::host::run_is_over(pe_id pe, const std::exception_ptr& error) {
  const std::lock_guard lock(alone_);
  errors_[static_cast<std::size_t>(pe)] = error;
  if (++runs_over_ == pes_) answered_.notify_all();
}

void thread_session::host::hear(void* self, std::string_view line) {
  host& h = *static_cast<host*>(self);
  const std::lock_guard lock(h.alone_);
  if (h.failed()) return;  // the first that fails has said why
  if (!h.lines_.empty()) h.lines_ += '\n';
  h.lines_.append(line);
}

void thread_session::host::give_up(void* self, int code) { static_cast<host*>(self)->stop_all(code); }

void thread_session::host::stop_all(int code) {
  {
    const std::lock_guard lock(alone_);
    if (!failed_.exchange(true)) code_ = code;
    for (transport::transport* const end : ends_) end->interrupt();
    asked_.notify_all();
    answered_.notify_all();
  }
  stand_still_for_ever();
}

// ---- the session

thread_session::thread_session(const std::vector<std::string>& words) {
  require(remote::current_pe == nullptr, "a session is started inside a job: it is for between them");
  job of = read_job(words);
  if (session_is_open.exchange(true))
    throw session_failed(exit_code::usage, "tsubu: a session of this process goes on: end that one first");
  host_ = std::make_shared<host>(std::move(of));
  host::begin(host_);
  if (!host_->failed()) return;
  try {
    host_->finish();
  } catch (const session_failed&) {
    host_->end();
    session_is_open = false;
    throw;
  }
}

thread_session::~thread_session() {
  if (!host_->of_this_process()) {
    // The threads are the parent's, and so is all that they have.
    static auto& kept = *new std::vector<std::shared_ptr<host>>;
    kept.push_back(std::move(host_));
    return;
  }
  host_->end();
  session_is_open = false;
}

pe_id thread_session::pes() const { return host_->pes(); }
bool thread_session::has_failed() const { return host_->failed(); }
void thread_session::start(program of_each_pe, void* argument) { host_->start(of_each_pe, argument); }
bool thread_session::wait_for(std::chrono::milliseconds most) { return host_->wait_for(most); }
void thread_session::finish() { host_->finish(); }

}  // namespace tsubu::run_detail
