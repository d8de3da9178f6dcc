// How a job ends when something is wrong.
//
// Three kinds of trouble are never mixed: *not now* is a return value, *went wrong* is an exception
// carried by the task that awaits, and a *broken contract* (or bytes that no correct PE sends) ends
// the whole job here: one line that names the PE, the place, what was expected and what came.
#pragma once

#include <source_location>
#include <string>
#include <string_view>

#include "tsubu/base/types.hpp"

namespace tsubu {

// Exit codes of a job. A program's own code is passed through.
namespace exit_code {
inline constexpr int failed = 1;        // a contract was broken, or an exception left the program
inline constexpr int usage = 2;         // a bad option or a bad input
inline constexpr int deadlock = 70;     // quiescent, but the program still waits
inline constexpr int unavailable = 69;  // a transport or plug-in that is not there
}  // namespace exit_code

// Prints "tsubu: PE 3: <reason> (file:line)" to the standard error and ends the job, all PEs of it.
// Local; may be called by any thread, at any time. Without a running job it ends the process.
[[noreturn]] void fail(std::string_view reason, std::source_location where = std::source_location::current());

// The same, for a message that is complete in itself: no place in the source is shown.
[[noreturn]] void end_job(int code, std::string_view message);

// What ends the other PEs of the job this thread belongs to; set by the floor that runs PEs.
// `end` is called after the message is printed; it should not return (if it does, the process exits).
struct job_ender {
  pe_id pe = no_pe;
  void (*end)(void* job, int code) = nullptr;
  void* job = nullptr;
};
void set_job_ender(job_ender ender);

}  // namespace tsubu

// Always on. The message is evaluated only when the condition is false.
#define TSUBU_CHECK(condition, message) \
  do {                                  \
    if (!(condition)) [[unlikely]]      \
      ::tsubu::fail(message);           \
  } while (false)
