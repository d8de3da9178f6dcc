#include "tsubu/command/subcommand.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/base/files.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/command/calibrate.hpp"
#include "tsubu/command/child.hpp"
#include "tsubu/command/doctor.hpp"
#include "tsubu/command/explore.hpp"
#include "tsubu/command/forwarded_output.hpp"
#include "tsubu/command/launch.hpp"
#include "tsubu/command/lint.hpp"
#include "tsubu/command/machines.hpp"
#include "tsubu/command/predict.hpp"
#include "tsubu/command/profile.hpp"
#include "tsubu/command/simulate.hpp"
#include "tsubu/command/study.hpp"

namespace tsubu::command {
namespace {

// The program and its arguments, which follow the subcommand's own options.
void add_program(CLI::App& options, std::vector<std::string>& program, bool required = true) {
  options.add_option("program", program, "the program and its arguments")->required(required);
  options.prefix_command();
  options.positionals_at_end();
}

// Once the command line has been read: CLI11 keeps what looks like an option for itself, and the "--" before the
// program, if there is one, which is nobody's argument. Another one belongs to the program.
void take_program(const CLI::App& command, std::vector<std::string>& program) {
  std::vector<std::string> kept = command.remaining();
  if (const auto mark = std::find(kept.begin(), kept.end(), "--"); mark != kept.end()) kept.erase(mark);
  program.insert(program.end(), kept.begin(), kept.end());
}

// What `sim` and `predict` share, and the program at their end.
void add_simulation_options(CLI::App& command, simulated_job& job, bool required = true) {
  command.add_option("-m,--machine", job.machine, "one of `tsubu machines`, or a TOML file; default: cluster");
  command.add_option("-s,--seed", job.seed, "of what the order of things may legally be; default: 0, nothing varies");
  command.add_option("-w,--work", job.work,
                     "what computing takes: `annotated` (what the program says with work()) or `measured[:SCALE]` (by "
                     "this computer's clock); default: annotated");
  add_program(command, job.program, required);
}

class run_subcommand final : public subcommand {
 public:
  explicit run_subcommand(CLI::App& of)
      : subcommand(of, "run", "start a program on N PEs: on threads, or under an MPI") {
    options()
        .add_option("-n", pes_, "number of PEs; default: the cores this process may use")
        ->check(CLI::Range(1, 1'000'000));
    auto* any = options().add_flag("--mpi", mpi_, "under whichever MPI is here");
    auto* open = options().add_flag("--openmpi", openmpi_, "under Open MPI")->excludes(any);
    options().add_flag("--mpich", mpich_, "under MPICH")->excludes(any)->excludes(open);
    options()
        .add_option("-k,--pes-per-rank", pes_per_rank_, "under an MPI, PEs in each rank: -n / K ranks")
        ->check(CLI::Range(1, 1024));
    add_program(options(), program_);
  }
  int act() override {
    take_program(options(), program_);
    if (!mpi_ && !openmpi_ && !mpich_) run_on_threads();
    return run_under_mpi(openmpi_ ? "openmpi" : mpich_ ? "mpich" : "mpi");
  }

 private:
  [[noreturn]] void run_on_threads() const {
    if (pes_per_rank_ > 1)
      end_job(exit_code::usage,
              "tsubu: --pes-per-rank is for --mpi, --openmpi and --mpich; on threads all PEs share one process");
    if (pes_ > 0) ::setenv("TSUBU_PES", std::to_string(pes_).c_str(), 1);
    ::setenv("TSUBU_TRANSPORT", "threads", 1);
    become(program_);
  }
  int run_under_mpi(const std::string& wanted) const {
    const std::string chosen = choose_mpi(wanted);
    int pes = pes_;
    if (pes == 0) {
      pes = std::max(static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)) / pes_per_rank_, 1) * pes_per_rank_;
    }
    if (pes % pes_per_rank_ != 0)
      end_job(exit_code::usage, fmt::format("tsubu: {} PEs cannot be dealt to ranks of {}", pes, pes_per_rank_));
    const std::vector<std::string> line = launch_line(chosen, pes / pes_per_rank_, pes_per_rank_, program_);
    // MPICH's says what it cannot write; and to a terminal all can.
    if (chosen == "openmpi" && ::isatty(STDOUT_FILENO) == 0) return run_and_forward(line);
    become(line);
  }

  int pes_ = 0, pes_per_rank_ = 1;
  bool mpi_ = false, openmpi_ = false, mpich_ = false;
  std::vector<std::string> program_;
};

class sim_subcommand final : public subcommand {
 public:
  explicit sim_subcommand(CLI::App& of)
      : subcommand(of, "sim", "run a program on a simulated machine, and tell where its time went") {
    options()
        .add_option("-n,--pes", job_.pes, "number of PEs; default: what the machine has")
        ->check(CLI::Range(1, 1'000'000));
    options().add_option("--trace", job_.trace, "FILE for what each PE did and when (Perfetto, chrome://tracing)");
    options().add_option("--report", job_.report, "FILE for where the time went, as JSON; default: -, a table");
    add_simulation_options(options(), job_);
  }
  int act() override {
    take_program(options(), job_.program);
    simulate(std::move(job_));
  }

 private:
  simulated_job job_;
};

class predict_subcommand final : public subcommand {
 public:
  explicit predict_subcommand(CLI::App& of)
      : subcommand(of, "predict", "run a program on more and more simulated PEs: times, speed-up, and a picture") {
    options().add_option("-p,--pes", job_.pes, "the numbers of PEs, such as 1,2,4,...,4096 or 10,20,...,80");
    options().add_option("-o,--out", job_.folder,
                         "folder for prediction.json, .csv, .png and .svg (default: none), or for study.json "
                         "(default: study-MACHINE)");
    options().add_option(
        "-f,--field", job_.field,
        "take the time from this field, in seconds, of the JSON line that the program prints; default: that "
        "of the whole job, with its beginning and its checks");
    options().add_flag("--json", job_.json, "print what goes to prediction.json instead of a table");
    options().add_flag("--weak", job_.weak, "the work grows with the PEs: ideal is a time that stays");
    add_suite_options();
    add_simulation_options(options(), job_.each, false);
  }
  int act() override {
    take_program(options(), job_.each.program);
    if (suite_ || given("--suite-file")) return study_suite();
    for (const char* option :
         {"--quick", "--up-to", "--only", "--page", "--jobs", "--time-limit", "--wall-limit", "--memory"}) {
      if (given(option)) refuse(fmt::format("{} is for --suite", option));
    }
    if (job_.pes.empty()) refuse("--pes is required");
    if (job_.each.program.empty()) refuse("program is required");
    return predict(job_);
  }

 private:
  void add_suite_options() {
    options().add_flag(
        "--suite", suite_,
        "run the applications that come with Tsubu, strong and weak, on 1 to 4096 PEs; go on where it was "
        "interrupted");
    options().add_option("--suite-file", study_.suite, "the same of the programs in this TOML file");
    options().add_flag("--quick", study_.quick, "a suite on at most 64 PEs, 20 s for each run");
    options().add_option("--up-to", study_.up_to, "of a suite no runs with more PEs")->check(CLI::PositiveNumber);
    options()
        .add_option("--only", study_.only, "of a suite these applications")
        ->option_text("NAME,NAME,...")
        ->delimiter(',')
        ->allow_extra_args(false);
    options().add_option("--page", study_.page,
                         "a suite's Markdown page: replace what is between its lines <!-- study:begin --> and <!-- "
                         "study:end -->; default: study.md in the folder");
    options()
        .add_option("-j,--jobs", study_.jobs, "runs of a suite at a time; default: the cores this process may use")
        ->check(CLI::Range(1, 1024));
    options()
        .add_option("--time-limit", study_.limit_s, "seconds of processor time for a run of a suite; default: 120")
        ->check(CLI::PositiveNumber);
    options()
        .add_option("--wall-limit", study_.wall_limit_s,
                    "seconds by the clock for a run of a suite; default: 20 times --time-limit, 10 at least")
        ->check(CLI::PositiveNumber);
    options()
        .add_option("--memory", study_.memory_mib,
                    "MiB for all runs of a suite at a time; default: four fifths of what is available")
        ->check(CLI::PositiveNumber);
  }
  bool given(const char* option) const { return options().get_option(option)->count() > 0; }
  [[noreturn]] static void refuse(const std::string& text) {
    end_job(exit_code::usage, one_line("tsubu predict: " + text));
  }
  int study_suite() {
    if (!job_.each.program.empty()) refuse(fmt::format("--suite takes no program, but {}", job_.each.program[0]));
    for (const char* option : {"--field", "--json", "--weak", "--work"}) {
      if (given(option)) refuse(fmt::format("{} is for one program; a suite's file says it of each", option));
    }
    study_.machine = job_.each.machine;
    study_.pes = job_.pes;
    study_.folder = job_.folder;
    study_.seed = job_.each.seed;
    return study(study_);
  }

  prediction_job job_;
  study_job study_;
  bool suite_ = false;
};

class profile_subcommand final : public subcommand {
 public:
  explicit profile_subcommand(CLI::App& of)
      : subcommand(of, "profile", "show who used what shared data, and what each protocol would have cost") {
    options().add_option("file", what_.file, "what a job has written with --tsubu-profile=FILE")->required();
    options().add_option("-o,--out", what_.folder,
                         "folder for profile.png and .svg, which show who uses what, and when");
  }
  int act() override { return show_profile(what_); }

 private:
  profile_view what_;
};

class calibrate_subcommand final : public subcommand {
 public:
  explicit calibrate_subcommand(CLI::App& of)
      : subcommand(of, "calibrate", "measure this computer, and describe it as a machine to simulate") {
    options()
        .add_option("-t,--transport", what_.transport, "threads, openmpi or mpich; default: threads")
        ->check(CLI::IsMember({"threads", "openmpi", "mpich"}));
    options()
        .add_option("-n,--pes", what_.pes, "number of PEs; messages go between the first and the last; default: 2")
        ->check(CLI::Range(2, 1'000'000));
    options().add_option("-o,--out", what_.file, "the machine's file; default: host-calibrated.toml");
    options()
        .add_option("-r,--repetitions", what_.repetitions, "of each measurement; default: 7")
        ->check(CLI::Range(1, 1000));
    options().add_flag("--quick", what_.quick, "a tenth of the trials in each repetition");
    options().add_flag("--force", what_.force, "replace the file also if it is not one of this command's");
  }
  int act() override { return calibrate(what_); }

 private:
  calibration what_;
};

class machines_subcommand final : public subcommand {
 public:
  explicit machines_subcommand(CLI::App& of)
      : subcommand(of, "machines", "list the machines there are to simulate, or tell about one") {
    options().add_option("name", machine_, "a machine, or a TOML file");
  }
  int act() override { return machines(machine_); }

 private:
  std::string machine_;
};

class explore_subcommand final : public subcommand {
 public:
  explicit explore_subcommand(CLI::App& of)
      : subcommand(of, "explore",
                   "run a program under many schedules of a simulated machine, and say which seeds fail") {
    options().add_option("--runs", what_.runs, "how many seeds")->capture_default_str();
    options().add_option("--seed", what_.first, "the first of them")->check(CLI::PositiveNumber)->capture_default_str();
    options()
        .add_option("--pes", what_.pes, "numbers of PEs that a seed draws from")
        ->option_text(fmt::format("N,N,... [{}]", fmt::join(what_.pes, ",")))
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Range(1, 1'000'000));
    options()
        .add_option("-j,--jobs", what_.jobs, "runs at a time; default: the cores this process may use")
        ->check(CLI::PositiveNumber);
    options().add_option("--machine", what_.machine, "the machine to simulate: a name or a file");
    options()
        .add_option("--fault", fault_, "pe: in each run a PE dies, and the job must end with the error that names it")
        ->check(CLI::IsMember({"none", "pe"}))
        ->capture_default_str();
    options().add_option("--output", output_, "a file with what the program has to print in each run");
    options()
        .add_option("--time-limit", what_.limit_s, "seconds of its own time after which a job has failed")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    options()
        .add_option("--wall-limit", what_.wall_limit_s, "seconds of this computer's time after which a run has failed")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    options()
        .add_option("--failures", what_.most_failures, "stop after so many")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    add_program(options(), what_.program);
  }
  int act() override {
    take_program(options(), what_.program);
    what_.faults = fault_ == "pe";
    if (!output_.empty()) {
      std::string why;
      what_.output = read_file(output_, why);
      if (!what_.output) end_job(exit_code::usage, fmt::format("tsubu: --output: {}: {}", output_, why));
    }
    return explore(what_);
  }

 private:
  exploration what_;
  std::string fault_ = "none", output_;
};

class lint_subcommand final : public subcommand {
 public:
  explicit lint_subcommand(CLI::App& of)
      : subcommand(of, "lint",
                   "say where C++ sources await in a part of ?:, && or || that g++ starts though it is not evaluated") {
    options().add_option("file", what_.files, "sources (.cpp); what they include is looked at too")->required();
    auto* build = options().add_option("-p,--build", what_.build,
                                       "the folder with compile_commands.json, for the flags of each source; default: "
                                       "-std=c++20 and Tsubu's headers");
    options().add_option("-I", what_.include, "a folder of headers")->allow_extra_args(false)->excludes(build);
    options().add_option("-D", what_.define, "a macro, NAME or NAME=VALUE")->allow_extra_args(false)->excludes(build);
    options()
        .add_option("-j,--jobs", what_.jobs, "sources at a time; default: the cores this process may use")
        ->check(CLI::PositiveNumber);
    options().footer("Exit code: 0 if there is no such place, 1 if there is one, 2 if a source cannot be read.");
  }
  int act() override { return lint(what_); }

 private:
  lint_request what_;
};

class doctor_subcommand final : public subcommand {
 public:
  explicit doctor_subcommand(CLI::App& of)
      : subcommand(of, "doctor", "check compiler, MPIs, plug-ins, cores and memory, and say how to mend them") {}
  int act() override { return doctor(own_path()); }
};

}  // namespace

std::vector<std::unique_ptr<subcommand>> add_subcommands(CLI::App& app) {
  std::vector<std::unique_ptr<subcommand>> all;
  all.push_back(std::make_unique<run_subcommand>(app));
  all.push_back(std::make_unique<sim_subcommand>(app));
  all.push_back(std::make_unique<predict_subcommand>(app));
  all.push_back(std::make_unique<calibrate_subcommand>(app));
  all.push_back(std::make_unique<machines_subcommand>(app));
  all.push_back(std::make_unique<profile_subcommand>(app));
  all.push_back(std::make_unique<explore_subcommand>(app));
  all.push_back(std::make_unique<lint_subcommand>(app));
  all.push_back(std::make_unique<doctor_subcommand>(app));
  return all;
}

}  // namespace tsubu::command
