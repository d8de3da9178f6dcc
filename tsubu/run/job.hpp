// A job as it is given to the PEs of this process, whoever starts it: run(), or a program of MPI that it is inside of.
#pragma once

#include <exception>
#include <memory>
#include <string_view>

#include "tsubu/base/settings.hpp"
#include "tsubu/data/settings.hpp"
#include "tsubu/run/run.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::remote {
class pe;
}

namespace tsubu::run_detail {

struct job {
  task<int> (*program)(arguments);  // null: none yet
  bool everywhere;
  arguments words;
  settings options;
  std::shared_ptr<const data::profile_settings> profile;  // null: nothing is recorded
  bool inside = false;  // another's program, whose signals are left alone, and which goes on where a program throws
};

// What is wrong with its options, as far as they are not the transport's, ends it.
void check_job(const job& j);
std::shared_ptr<const data::profile_settings> profile_of_job(const settings& options, std::string_view program);

// For a transport::launcher, whose argument is the job.
transport::launch_settings launch_settings_of(const settings& options);
transport::job_body body_of_job();

// For who drives a PE by itself: it is made and entered, and from end_job_by() on its errors end the job.
std::unique_ptr<remote::pe> start_pe(transport::transport& end, const job& j);
void end_job_by(transport::transport& end);
// What waits in such a PE refers to it, and it to what waits.
void keep_for_ever(std::unique_ptr<remote::pe> pe);
// What a process can end with: 0 only for 0, and what does not fit 8 bits is not lost.
int exit_status(int code);
// The line for an exception that leaves a program inside another's.
void tell_left_program(const std::exception_ptr& error);

}  // namespace tsubu::run_detail
