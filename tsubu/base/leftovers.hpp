// What must be gone when this process is: its temporary folders and its children.
//
// They go with the values below; with end_job() and fail(); and where INT, TERM, HUP, QUIT or PIPE ends the process, if
// nobody else handles that. Children are asked by the same signal, given three seconds, and then killed.
// For programs that start others: of one thread, and not for the PEs of a job.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstddef>
#include <string>

namespace tsubu {

// A folder of its own whose name begins with `prefix`, and all that is put into it.
class temporary_folder {
 public:
  // Throws std::system_error.
  explicit temporary_folder(const std::string& prefix);
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::size_t place_;
};

// Signals that would end the process wait while this lives: between the start of a child and the child_of_process that
// knows it, none is lost. A child begins with the signals that wait: hand before() on to it.
class held_signals {
 public:
  held_signals();
  ~held_signals();
  held_signals(const held_signals&) = delete;
  held_signals& operator=(const held_signals&) = delete;

  const sigset_t& before() const { return before_; }
  // In a child by fork(): it is as if it had been started by exec.
  void let_go_in_child() const;

 private:
  sigset_t before_{};
};

enum class reach : unsigned char { process, group };  // of a signal: the child, or all of the group that it leads

// A child, from its start until it has been waited for.
class child_of_process {
 public:
  child_of_process(pid_t child, reach whom);
  ~child_of_process();
  child_of_process(child_of_process&& other) noexcept;
  child_of_process& operator=(child_of_process&& other) noexcept;

 private:
  std::size_t place_;
};

// Children and folders are gone when this returns. For who ends the process.
void remove_leftovers();

}  // namespace tsubu
