// A job on threads inside a program that is no job of Tsubu, such as an interpreter: its PEs, and all that they keep,
// stay between runs, and none of them is the caller's thread.
//
//   thread_session s({"--tsubu-pes=4"});
//   s.start(program, &argument);              // a task<void> program(void*), on every PE
//   while (!s.wait_for(50ms)) look_at_the_keyboard();
//   s.finish();
//
// What would end a process, a broken contract or a deadlock, ends the session alone: finish() throws the lines that a
// job would have printed. The PEs of such a session stand still for ever, each where it was, and what they have is not
// given back, since nobody knows what state it is in; another session may begin.
//
// Between runs the PEs sleep. Signals are left to the program, and no signal is handled by a thread of these.
#pragma once

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tsubu/base/types.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::run_detail {

// Why a session could not begin, or has ended: the lines that a job would have printed.
class session_failed : public std::runtime_error {
 public:
  session_failed(int exit_code, const std::string& lines) : std::runtime_error(lines), code(exit_code) {}
  const int code;  // what a job would have ended with
};

class thread_session {
 public:
  using program = task<void> (*)(void* argument);

  // `words` are Tsubu's options; TSUBU_ variables hold, too. One session at a time in a process. Blocks until all PEs
  // are there; throws session_failed for what is wrong.
  explicit thread_session(const std::vector<std::string>& words);
  thread_session(const thread_session&) = delete;
  thread_session& operator=(const thread_session&) = delete;
  // Waits for a run that goes on, and ends the session. In a forked child, which has no PEs, it does nothing.
  ~thread_session();

  pe_id pes() const;
  // Whether it has failed: nothing can be run any more.
  bool has_failed() const;

  // Runs `of_each_pe` on every PE. The run before must be finished. `argument` stays until this one is. Throws
  // session_failed if the session has failed.
  void start(program of_each_pe, void* argument);
  // Whether the run is over everywhere, and all that it has caused has run.
  bool wait_for(std::chrono::milliseconds most);
  // Waits for that. Throws session_failed if the session fails, and else what the program has thrown on the first PE
  // where it has.
  void finish();

 private:
  class host;
  std::shared_ptr<host> host_;
};

}  // namespace tsubu::run_detail
