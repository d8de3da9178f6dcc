#include "tsubu/run/simulation.hpp"

#include <cstdio>
#include <optional>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/base/files.hpp"
#include "tsubu/base/host_clock.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/base/random.hpp"
#include "tsubu/base/standard_output.hpp"
#include "tsubu/sim/host_clock_watch.hpp"
#include "tsubu/sim/report.hpp"
#include "tsubu/task/context.hpp"

namespace tsubu::run_detail {
namespace {

constexpr int default_pes = 4;  // of a machine that does not say how many it has

void write_report(const settings& options, const std::string& text) {
  const std::string trouble = write_file({options.report, sim::json_begins, options.force}, text);
  if (!trouble.empty())
    end_job(exit_code::failed, one_line("tsubu: the report cannot be written to " + options.report + ": " + trouble));
}

void vary(settings& options, transport::launch_settings& how) {
  const sim::varied_sizes sizes = sim::vary_sizes(options.seed);
  if (how.batch_bytes == 0) how.batch_bytes = sizes.batch_bytes;
  if (how.hops == 0) how.hops = sizes.hops;
  how.row = sizes.row;
  const settings usual;
  if (options.least_batch_bytes == usual.least_batch_bytes && sizes.least_batch_bytes != 0) {
    options.least_batch_bytes = sizes.least_batch_bytes;
  }
  if (options.oldest_us == usual.oldest_us && sizes.oldest_us != 0) options.oldest_us = sizes.oldest_us;
}

sim::predicted predicted_by(const settings& options, const sim::machine& on) {
  if (options.predict.empty() || options.predict == "none") return sim::predicted::nothing;
  if (!on.prediction.known) {
    end_job(exit_code::usage, one_line("tsubu: --tsubu-predict=" + options.predict +
                                       " needs a machine that predicts; " + on.name + " has no table [prediction]"));
  }
  return options.predict == "size" ? sim::predicted::size : sim::predicted::selector;
}

}  // namespace

int simulate(settings& options, transport::launch_settings how, const sim::pe_maker& start_pe) {
  sim::machine machine = sim::read_machine(options.machine.empty() ? "cluster" : options.machine, options.machines);
  if (options.measured_work) machine = sim::for_measured_work(std::move(machine));
  if (how.pes == 0) how.pes = machine.pes != 0 ? machine.pes : default_pes;
  sim::check_pes(machine, how.pes);
  if (options.fault_pe >= how.pes) {
    end_job(exit_code::usage, "tsubu: --tsubu-fault names PE " + std::to_string(options.fault_pe) +
                                  ", but the job's PEs are 0 to " + std::to_string(how.pes - 1));
  }
  sim::fit_to(machine, how);
  task_context of_nobody;
  const task_context_scope on_this_stack(of_nobody);
  const std::int64_t begin_ns = host_ns();
  if (options.seed != 0) vary(options, how);
  let_seeds_follow_from(options.seed);
  const sim::engine_settings settings{
      .seed = options.seed,
      .limit_ps = static_cast<std::int64_t>(options.time_limit_s * 1e12),
      .work = options.measured_work ? sim::work_time::measured : sim::work_time::annotated,
      .work_scale = options.work_scale,
      .what_is_predicted = predicted_by(options, machine),
      .fault_pe = options.fault_pe >= 0 ? static_cast<pe_id>(options.fault_pe) : no_pe,
      .fault_ps = static_cast<std::int64_t>(options.fault_us * 1e6),
      .trace = options.trace,
      .force = options.force,
  };
  ticks_per_ns();  // which looks at the clock, once
  std::optional<sim::host_clock_watch> watch;
  if (options.watch_clock && !options.measured_work) watch.emplace();
  sim::engine engine(machine, how, settings, start_pe);
  const int code = engine.run();
  watch.reset();
  const sim::host_cost took{static_cast<double>(host_ns() - begin_ns) * 1e-9};
  if (options.report == "-") {
    flush_output();
    std::fputs(sim::table(engine, machine, took).c_str(), stderr);
  } else if (!options.report.empty()) {
    write_report(options, sim::json(engine, machine, took));
  }
  return code;
}

}  // namespace tsubu::run_detail
