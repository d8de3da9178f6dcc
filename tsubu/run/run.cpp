#include "tsubu/run/run.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/described_error.hpp"
#include "tsubu/base/freed_memory.hpp"
#include "tsubu/base/job_names.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/base/settings.hpp"
#include "tsubu/collection/settings.hpp"
#include "tsubu/data/settings.hpp"
#include "tsubu/message/prediction.hpp"
#include "tsubu/object/settings.hpp"
#include "tsubu/remote/accounting.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/printing/line_settings.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/remote/termination/standstill.hpp"
#include "tsubu/remote/time_multiplexing.hpp"
#include "tsubu/run/early_end.hpp"
#include "tsubu/run/job.hpp"
#include "tsubu/run/launcher.hpp"
#include "tsubu/run/one_memory.hpp"
#include "tsubu/run/plan_figures.hpp"
#include "tsubu/run/presence.hpp"
#include "tsubu/run/signals.hpp"
#include "tsubu/run/simulation.hpp"
#include "tsubu/run/transports.hpp"
#include "tsubu/sim/driven.hpp"

namespace tsubu {
namespace {

using run_detail::job;

transport::launcher own_launcher = nullptr;

// The code stands there twice: a damaged one would end the job with another, and without a word.
void program_ended(int code, int inverse, pe_id whose) {
  require(inverse == ~code, "a damaged exit code has come of a program");
  remote::current_pe->quiescence.program_ended(code, whose);
}

}  // namespace

int run_detail::exit_status(int code) {
  const int low = code & 0xff;
  return low == 0 && code != 0 ? exit_code::failed : low;
}

void run_detail::tell_left_program(const std::exception_ptr& error) {
  const std::string line = "tsubu: PE " + std::to_string(this_pe()) +
                           ": an exception left the program: " + tsubu::detail::describe_exception(error);
  std::fprintf(stderr, "%s\n", printable_lines(line).c_str());
}

namespace {

// What it throws ends the job, whatever on_past_exception() was given; and inside another's program nothing but the
// job.
task<void> run_program(task<int> (*program)(arguments), arguments words, bool inside) {
  try {
    const int code = co_await program(std::move(words));
    const int status = run_detail::exit_status(code);
    at(0).past<program_ended>(status, ~status, this_pe());
  } catch (...) {
    const std::exception_ptr error = std::current_exception();
    if (!inside) task_context::fail_uncaught(error);
    run_detail::tell_left_program(error);
    at(0).past<program_ended>(exit_code::failed, ~exit_code::failed, this_pe());
  }
}

void check_scheduler(const std::string& name) {
  if (name.empty()) return;
  const std::vector<std::string> names = scheduler_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string near = nearest(name, views.data(), views.size());
  std::string known;
  for (const std::string& one : names) known += (known.empty() ? "" : ", ") + one;
  end_job(exit_code::usage, "tsubu: no scheduler is named '" + one_line(name) + "'; this program has " + known +
                                (near.empty() ? "" : "; did you mean " + near + "?"));
}

// What is to be recorded of shared data, and what earlier jobs have. Null: nothing.
std::shared_ptr<const data::profile_settings> profile_of(const settings& options, std::string_view program) {
  const bool named = !options.profile.empty() || !options.use_profile.empty();
  if (data::linked_profiler() == nullptr) {
    if (named) {
      end_job(exit_code::usage, std::string("tsubu: ") +
                                    (options.profile.empty() ? "--tsubu-use-profile" : "--tsubu-profile") +
                                    " is for programs with shared variables or arrays, and this one has none");
    }
    return nullptr;
  }
  if (!named && !options.stats) return nullptr;
  auto made = std::make_shared<data::profile_settings>();
  made->program = program.substr(program.find_last_of('/') + 1);
  made->file = options.profile;
  made->force = options.force;
  made->used_file = options.use_profile;
  made->tell = options.stats;
  if (!options.use_profile.empty()) data::linked_profiler()->read(*made);
  return made;
}

message::prediction_settings prediction_of(const settings& options) {
  constexpr std::pair<std::string_view, message::scheme> schemes[] = {{"off", message::scheme::off},
                                                                      {"last", message::scheme::last},
                                                                      {"frequency", message::scheme::frequency},
                                                                      {"markov", message::scheme::markov},
                                                                      {"markov2", message::scheme::markov2},
                                                                      {"trace", message::scheme::trace}};
  message::prediction_settings made;
  for (const auto& [name, scheme] : schemes) {
    if (name == options.predictor) made.how = scheme;
  }
  if ((made.how == message::scheme::trace) != !options.trace_predict.empty()) {
    end_job(exit_code::usage,
            made.how == message::scheme::trace
                ? "tsubu: --tsubu-predictor=trace needs the trace: --tsubu-trace-predict=FILE, which "
                  "--tsubu-trace-record=FILE wrote"
                : "tsubu: --tsubu-trace-predict is another predictor than --tsubu-predictor=" + options.predictor);
  }
  made.only_worthwhile = options.predict_worthwhile;
  made.record = options.trace_record;
  made.follow = options.trace_predict;
  made.force = options.force;
  return made;
}

// How lines are printed on the PEs of this thread.
remote::line_settings lines_of(const settings& options) {
  constexpr double shown_every_s = 0.2, told_every_s = 10;
  remote::line_settings lines;
  lines.least = options.log == "debug"  ? log_level::debug
                : options.log == "info" ? log_level::info
                : options.log == "off"  ? log_level::off
                                        : log_level::warning;
  lines.with_pe = options.lines_with_pe;
  lines.with_time = options.lines_with_time;
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  lines.on_terminal = terminal && options.progress_s == 0;
  lines.progress = simulated == nullptr && (options.progress == "on" || (options.progress == "auto" && terminal));
  const double every_s = options.progress_s != 0 ? options.progress_s : terminal ? shown_every_s : told_every_s;
  lines.progress_every_ns = static_cast<std::int64_t>(every_s * 1e9);
  return lines;
}

collection::collection_settings collecting_of(const settings& options) {
  collection::collection_settings made;
  made.when = options.collect == "off"    ? collection::pace::off
              : options.collect == "idle" ? collection::pace::when_idle
              : options.collect == "auto" ? collection::pace::automatic
                                          : collection::pace::timed;
  made.every_ns = static_cast<std::int64_t>(options.collect_s * 1e9);
  made.slice_ns = std::int64_t{1'000} * options.collect_slice_us;
  return made;
}

}  // namespace

// With its program started if it has one.
std::unique_ptr<remote::pe> run_detail::start_pe(transport::transport& end, const job& j) {
  auto made = std::make_unique<remote::pe>(end, remote::pe::limits{.memory_bytes = j.options.memory_bytes,
                                                                   .spill_bytes = j.options.spill_bytes,
                                                                   .least_batch_bytes = j.options.least_batch_bytes,
                                                                   .oldest_us = j.options.oldest_us,
                                                                   .checksum = j.options.checksum,
                                                                   .time_waiting = j.options.stats});
  remote::pe& pe = *made;
  pe.enter();
  const task_context_scope on_this_stack(pe.tasks);
  if (!j.options.scheduler.empty()) pe.tasks.set_scheduler(make_scheduler(j.options.scheduler));
  if (end.pes_per_process() != pe.count()) pe.messages.handshake();  // else all PEs are this process, and one program
  if (const message::prediction_settings ahead = prediction_of(j.options); ahead.wanted()) pe.messages.predict(ahead);
  remote::configure_lines(lines_of(j.options));
  collection::configure(collecting_of(j.options));
  objects::configure({.mailbox_bytes = j.options.mailbox_bytes});
  data::configure({.memory_bytes = j.options.data_memory_bytes,
                   .spill_bytes = j.options.data_spill_bytes,
                   .tell = j.options.stats,
                   .profile = j.profile,
                   .machine = simulated != nullptr ? j.options.machine : std::string("host"),
                   .machines = j.options.machines,
                   .figures = &run_detail::figures_for_plans,
                   .explain = j.options.explain});
  run_detail::let_use_one_memory(!j.options.eulash_views);
  if (j.profile != nullptr) data::linked_profiler()->begin(pe);
  if (j.options.stats) pe.accounts.want();
  pe.accounts.tell_calls(run_detail::calls_of_chosen());
  pe.expect_programs(j.everywhere ? pe.count() : 1);
  if (j.program != nullptr && (j.everywhere || pe.number() == 0)) spawn(run_program(j.program, j.words, j.inside));
  return made;
}

// From now on the PE at this end is whose error ends the job.
void run_detail::end_job_by(transport::transport& end) {
  set_job_ender({end.pe(),
                 [](void* t, int code) {
                   run_detail::expect_exit();
                   std::fflush(stdout);
                   static_cast<transport::transport*>(t)->abort(code);
                 },
                 &end});
}

void run_detail::keep_for_ever(std::unique_ptr<remote::pe> pe) {
  static std::mutex alone;
  static auto& all = *new std::vector<std::unique_ptr<remote::pe>>;
  const std::lock_guard lock(alone);
  all.push_back(std::move(pe));
}

namespace {

int run_pe(transport::transport& end, void* argument) {
  const job& j = *static_cast<const job*>(argument);
  std::optional<run_detail::signal_watch> told;
  if (!j.inside) told.emplace();
  const run_detail::presence until_the_end(end.pe());
  run_detail::end_job_by(end);
  int code = 0;
  {
    remote::stands_still = false;
    std::unique_ptr<remote::pe> pe = run_detail::start_pe(end, j);
    const task_context_scope on_this_stack(pe->tasks);
    code = pe->run_to_end();
    pe->leave();
    if (remote::stands_still) run_detail::keep_for_ever(std::move(pe));
  }
  set_job_ender({});  // the program's objects are gone now, whose destructors may fail
  return code;
}

int run_pes_time_multiplexed(transport::shared_thread& thread, void* argument) {
  const run_detail::signal_watch told;
  const run_detail::presence until_the_end(no_pe);
  task_context of_nobody;
  const task_context_scope on_this_stack(of_nobody);
  const auto entered = [](remote::pe& pe) { run_detail::end_job_by(pe.transport()); };
  std::vector<std::unique_ptr<remote::pe>> pes;
  for (transport::transport* const end : thread.ends()) {
    run_detail::end_job_by(*end);
    pes.push_back(run_detail::start_pe(*end, *static_cast<const job*>(argument)));
  }
  const int code = remote::run_time_multiplexed(pes, thread, entered);
  for (std::unique_ptr<remote::pe>& pe : pes) {
    // As in run_pe(): the destructors of the program's objects run on no PE, and may fail, too.
    const run_detail::presence of_this_one(pe->number());
    this_task_context = &pe->tasks;
    entered(*pe);
    pe.reset();
    this_task_context = &of_nobody;
  }
  set_job_ender({});
  return code;
}

// In a job of several ranks all of them come to MPI, where one that only asked for help would leave the others waiting.
int tell_help(const settings& options) {
  if (run_detail::launched_rank() == 0) std::fputs(settings_help().c_str(), stdout);
  if (run_detail::launched_ranks() == 1 || run_detail::process_launcher().kind == run_detail::launcher_kind::slurm)
    return 0;
  transport::launch_settings how;
  how.takes_part = false;
  const transport::pe_main no_body = [](transport::transport&, void*) { return 0; };
  return run_detail::choose_transport(options)(how, no_body, nullptr);
}

}  // namespace

transport::launch_settings run_detail::launch_settings_of(const settings& options) {
  transport::launch_settings how;
  how.pes = options.pes;
  how.pes_per_rank = options.pes_per_rank;
  how.threads = options.threads;
  how.bind = options.bind;
  how.slice_us = options.slice_us;
  how.share_memory = options.share_memory;
  how.pretended_nodes = options.pretended_nodes;
  // Its checksum is in the batch, whose room is 256 bytes at the least.
  how.batch_bytes = options.batch_bytes + (options.checksum && options.batch_bytes != 0 ? 64 : 0);
  how.memory_bytes = options.memory_bytes;
  how.hops = options.hops;
  return how;
}

void run_detail::check_job(const job& j) {
  check_scheduler(j.options.scheduler);
  prediction_of(j.options);
}

std::shared_ptr<const data::profile_settings> run_detail::profile_of_job(const settings& options,
                                                                         std::string_view program) {
  return profile_of(options, program);
}

transport::job_body run_detail::body_of_job() { return {run_pe, run_pes_time_multiplexed}; }

namespace {

int run_job(int argc, char** const given, task<int> (*program)(arguments), bool everywhere) {
  std::vector<char*> words(given, given + argc);  // the program's stay, for it may run another job
  words.push_back(nullptr);
  char** const argv = words.data();
  keep_memory_for_last_words();
  run_detail::mpi_may_handle_signals();  // as soon as its plug-in is loaded
  run_detail::end_other_ranks_too();
  settings options = read_settings(argc, argv);
  if (options.help) return tell_help(options);
  check_scheduler(options.scheduler);
  const detail::running_job until_it_returns;
  keep_freed_memory(options.memory_bytes);
  job j{program, everywhere, arguments(argc, argv), options, profile_of(options, argv[0])};
  const transport::launch_settings how = run_detail::launch_settings_of(options);
  if (own_launcher == nullptr && run_detail::is_simulated(options)) {
    if (options.progress == "on")
      end_job(exit_code::usage, "tsubu: --tsubu-progress is not for simulated jobs, whose time is not yours");
    const run_detail::signal_watch told;
    const run_detail::presence until_the_end(no_pe);
    return run_detail::simulate(j.options, how,
                                [&j](transport::transport& end) { return sim::driven(run_detail::start_pe(end, j)); });
  }
  const transport::launcher launch = own_launcher != nullptr ? own_launcher : run_detail::choose_transport(options);
  run_detail::launcher_sees_ends();
  const int code = launch(how, run_detail::body_of_job(), &j);
  run_detail::end_other_ranks_too();  // what the program does from now on may fail, on several ranks at once
  return code;
}

}  // namespace

void run_detail::use_launcher(transport::launcher launch) { own_launcher = launch; }

int run(int argc, char** argv, task<int> (*program)(arguments)) { return run_job(argc, argv, program, false); }

int run_spmd(int argc, char** argv, task<int> (*program)(arguments)) { return run_job(argc, argv, program, true); }

}  // namespace tsubu
