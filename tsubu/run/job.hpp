// A job as it is given to the PEs of this process, whoever starts it: run(), or a program of MPI that it is inside of.
#pragma once

#include <memory>
#include <string_view>

#include "tsubu/base/settings.hpp"
#include "tsubu/data/settings.hpp"
#include "tsubu/run/run.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::run_detail {

struct job {
  task<int> (*program)(arguments);
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

}  // namespace tsubu::run_detail
