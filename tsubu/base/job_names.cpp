#include "tsubu/base/job_names.hpp"

#include <utility>

namespace tsubu::detail {
namespace {

constinit job_names* all_kinds = nullptr;  // complete before main() begins
constinit std::atomic<std::uint32_t> jobs_begun = 0;
constinit std::atomic<bool> one_runs = false;

}  // namespace

job_names::job_names(std::uint32_t compact, std::uint32_t modulo)
    : compact_(compact), modulo_(modulo), next_(std::exchange(all_kinds, this)) {}

void job_names::used(std::uint32_t behind) {
  std::uint32_t most = behind_.load();
  while (most < behind && !behind_.compare_exchange_weak(most, behind)) {
  }
}

// Where names would grow, they begin anew, unless the last job's are found there again at once.
void job_names::go_on() {
  const std::uint32_t first = first_.load(), behind = behind_.load();
  std::uint32_t next = behind;
  if (behind >= compact_) next = behind - first <= first ? 0 : behind % modulo_;
  first_.store(next);
  behind_.store(next);
}

std::uint32_t job_names::jobs_before() {
  const std::uint32_t begun = jobs_begun.load();
  return begun == 0 ? 0 : begun - 1;
}

void job_names::next_job() {
  if (jobs_begun.fetch_add(1) == 0) return;
  for (job_names* kind = all_kinds; kind != nullptr; kind = kind->next_) kind->go_on();
}

job_names::moment job_names::now() {
  if (one_runs.load()) return moment::during;
  return jobs_begun.load() == 0 ? moment::before_the_first : moment::after;
}

running_job::running_job() {
  job_names::next_job();
  one_runs = true;
}

running_job::~running_job() { one_runs = false; }

}  // namespace tsubu::detail
