#include "tsubu/remote/no_pe.hpp"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <string>
#include <typeinfo>

#include "tsubu/base/check.hpp"
#include "tsubu/base/job_names.hpp"
#include "tsubu/base/program_lines.hpp"
#include "tsubu/base/program_text.hpp"
#include "tsubu/base/sanitized_program.hpp"
#include "tsubu/message/handler.hpp"
#include "tsubu/remote/ended_pe.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/remote/termination/quiescence.hpp"

namespace tsubu::remote {
namespace {

std::string own_thread() {
  std::array<char, 16> name{};
  ::pthread_getname_np(::pthread_self(), name.data(), name.size());
  return "thread " + std::to_string(::gettid()) + " (" + name.data() + ")";
}

// What has been done, by what has no PE. Who it was is seen best by the line of the program, a destructor's for
// example.
[[noreturn]] void fail_without_a_pe(const std::string& done) {
  std::string line = done;
  switch (detail::job_names::now()) {
    case detail::job_names::moment::before_the_first:
      line += " outside a job, before the first: call it in the program given to run()";
      break;
    case detail::job_names::moment::after:
      line +=
          " outside a job, which has ended: call it in the program given to run(), or does a destructor do so, of what "
          "the job should not leave behind?";
      break;
    case detail::job_names::moment::during:
      if (ended_pe::is_here()) {
        line +=
            " outside a job, which has ended on this PE: does the destructor of an object do so, that has lived until "
            "then, or of what a pe_local holds?";
        break;
      }
      line += " outside a job, by " + own_thread() +
              ", which is no PE of the one that runs: a thread of the program's own goes through a gate, which a PE "
              "gives it: "
              "in = gate(), and then in.post(...)";
  }
  const bool sanitized = sanitizer::has_address() || sanitizer::has_thread();  // which tells the line itself
  const std::string place = sanitized ? "" : line_of_the_program();
  fail(place.empty() ? line : line + "; it was " + place);
}

}  // namespace

void outside_a_job(const char* what) { fail_without_a_pe(std::string(what) + " was called"); }

void outside_a_job(const wire::handler_entry& message) {
  fail_without_a_pe("a message of " + readable(message.name) + " was sent");
}

void local_outside_a_job(const std::type_info& type) {
  const std::string name = readable(type);
  if (name.starts_with("tsubu::objects::")) fail_without_a_pe("a message to an object, or for a new one, was sent");
  if (name.starts_with("tsubu::data::")) fail_without_a_pe("shared data was used");
  fail_without_a_pe("a pe_local<" + name + "> was used");
}

bool job_goes_on() { return current_pe != nullptr && !current_pe->quiescence.ended(); }

void no_such_pe(const std::string& number) {
  if (current_pe == nullptr) outside_a_job("a send");
  fail("a message for PE " + number + ", but the job's PEs are 0 to " + std::to_string(current_pe->count() - 1));
}

}  // namespace tsubu::remote
