// What is told to code that acts as a PE would and is none: before the job, after it, or on a thread of the program's.
#pragma once

#include <string>

namespace tsubu::wire {
struct handler_entry;
}  // namespace tsubu::wire

namespace tsubu::remote {

// Where there is no PE: what was called, or the message that was to be sent.
[[noreturn, gnu::cold]] void outside_a_job(const char* what);
[[noreturn, gnu::cold]] void outside_a_job(const wire::handler_entry& message);
// Whether this is a PE of a job that has not ended: what is destroyed behind its end sends no more.
bool job_goes_on();
// For a message to a PE of a number that no PE can have.
[[noreturn, gnu::cold]] void no_such_pe(const std::string& number);

}  // namespace tsubu::remote
