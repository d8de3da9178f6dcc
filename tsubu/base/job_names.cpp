#include "tsubu/base/job_names.hpp"

#include <span>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/names_agreement.hpp"

namespace tsubu::detail {
namespace {

constinit job_names* all_kinds = nullptr;  // complete before main() begins

// Where each of them stands.
struct standing {
  std::atomic<std::uint32_t>& first;
  std::atomic<std::uint32_t>& behind;
};
std::vector<standing>& standings() {
  static std::vector<standing> of_all;
  return of_all;
}

constinit std::atomic<std::uint32_t> jobs_begun = 0;
constinit std::atomic<bool> one_runs = false;

}  // namespace

job_names::job_names(std::uint32_t compact, std::uint32_t modulo)
    : compact_(compact), modulo_(modulo), next_(std::exchange(all_kinds, this)) {
  standings().push_back({first_, behind_});
}

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

std::vector<std::uint32_t> names_so_far() {
  std::vector<std::uint32_t> all{jobs_begun.load()};
  for (const standing& kind : standings()) all.push_back(kind.first.load());
  return all;
}

void go_on_from(std::span<const std::uint32_t> all) {
  const std::vector<standing>& kinds = standings();
  require(all.size() == kinds.size() + 1, "the names of {} kinds, where there are {}", all.size() - 1, kinds.size());
  jobs_begun.store(all[0]);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    kinds[i].first.store(all[i + 1]);
    kinds[i].behind.store(all[i + 1]);
  }
}

running_job::running_job() {
  job_names::next_job();
  one_runs = true;
}

running_job::~running_job() { one_runs = false; }

}  // namespace tsubu::detail
