#include "tsubu/run/early_end.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tsubu/base/check.hpp"

namespace tsubu::run_detail {
namespace {

// Open MPI's launcher ends a job when one of its processes ends with another code than 0. MPICH's waits for the others,
// and is told here, in the words of its process management (PMI 1).
void tell_launcher(void*, int code) {
  std::fflush(stdout);
  const char* const descriptor = std::getenv("PMI_FD");
  const char* const ranks = std::getenv("PMI_SIZE");
  if (descriptor == nullptr || ranks == nullptr || std::string(ranks) == "1") return;
  const std::string word = "cmd=abort exitcode=" + std::to_string(code) + "\n";
  [[maybe_unused]] const auto written = ::write(std::atoi(descriptor), word.data(), word.size());
}

}  // namespace

void end_other_ranks_too() { set_job_ender({no_pe, tell_launcher, nullptr}); }

}  // namespace tsubu::run_detail
