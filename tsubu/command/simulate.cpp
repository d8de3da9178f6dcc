#include "tsubu/command/simulate.hpp"

#include <cstdlib>

#include "tsubu/command/launch.hpp"
#include "tsubu/sim/machine.hpp"

namespace tsubu::command {
namespace {

void set(const char* variable, const std::string& value) {
  if (!value.empty()) ::setenv(variable, value.c_str(), 1);
}

}  // namespace

void set_environment(const simulated_job& job) {
  set("TSUBU_TRANSPORT", "sim");
  set("TSUBU_MACHINE", job.machine);
  set("TSUBU_WORK", job.work);
  set("TSUBU_TRACE", job.trace);
  set("TSUBU_REPORT", job.report);
  if (job.pes != 0) set("TSUBU_PES", std::to_string(job.pes));
  if (job.seed != 0) set("TSUBU_SEED", std::to_string(job.seed));
}

void check_machine(const std::string& name, int pes) {
  const sim::machine machine = sim::read_machine(name.empty() ? "cluster" : name);
  if (pes != 0) sim::check_pes(machine, pes);
}

void simulate(simulated_job job) {
  check_machine(job.machine, job.pes);
  if (job.report.empty() && std::getenv("TSUBU_REPORT") == nullptr) job.report = "-";
  set_environment(job);
  become(job.program);
}

}  // namespace tsubu::command
