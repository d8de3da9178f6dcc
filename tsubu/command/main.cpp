// The command `tsubu`.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/settings.hpp"
#include "tsubu/command/calibrate.hpp"
#include "tsubu/command/calibration_job.hpp"
#include "tsubu/command/child.hpp"
#include "tsubu/command/doctor.hpp"
#include "tsubu/command/explore.hpp"
#include "tsubu/command/hello.hpp"
#include "tsubu/command/launch.hpp"
#include "tsubu/command/machines.hpp"
#include "tsubu/command/predict.hpp"
#include "tsubu/command/simulate.hpp"

namespace {

using namespace tsubu;

constexpr std::string_view subcommands[] = {"run",       "sim",      "predict", "explore",
                                            "calibrate", "machines", "doctor",  "hello"};

std::string list_of_commands() {
  std::string list;
  for (const std::string_view one : subcommands) {
    if (one != "hello") list += (list.empty() ? "" : (one == "doctor" ? " and " : ", ")) + std::string(one);
  }
  return list;
}

void run_on_threads(int pes, const std::vector<std::string>& program) {
  if (pes > 0) ::setenv("TSUBU_PES", std::to_string(pes).c_str(), 1);
  ::setenv("TSUBU_TRANSPORT", "threads", 1);
  command::become(program);
}

}  // namespace

int main(int argc, char** argv) {
  // The jobs that doctor and calibrate start read their own options.
  if (argc > 1 && std::string_view(argv[1]) == "hello") return command::hello(argc, argv);
  if (argc > 1 && std::string_view(argv[1]) == "calibration-job") return command::calibration_job(argc - 1, argv + 1);
  if (argc > 1 && argv[1][0] != '-') {
    const std::string_view given = argv[1];
    bool known = false;
    for (const std::string_view one : subcommands) known = known || one == given;
    if (!known) {
      const std::string near = nearest(given, subcommands, std::size(subcommands));
      end_job(exit_code::usage,
              fmt::format("tsubu: there is no command '{}'; {}", given,
                          near.empty() ? "there are " + list_of_commands() : "did you mean " + near + "?"));
    }
  }

  CLI::App app(
      "Starts jobs of programs written with Tsubu, here or on a simulated machine, and looks after the machine they "
      "run on.\n"
      "Tsubu's own options are those of the program: PROGRAM --tsubu-help lists them.",
      "tsubu");
  app.require_subcommand(1);

  CLI::App* run = app.add_subcommand("run", "start a program on N PEs: on threads, or under an MPI");
  int pes = 0, pes_per_rank = 1;
  bool mpi = false, openmpi = false, mpich = false;
  std::vector<std::string> program;
  run->add_option("-n", pes, "number of PEs; default: the cores this process may use")->check(CLI::Range(1, 1'000'000));
  auto* any = run->add_flag("--mpi", mpi, "under whichever MPI is here");
  auto* open = run->add_flag("--openmpi", openmpi, "under Open MPI")->excludes(any);
  run->add_flag("--mpich", mpich, "under MPICH")->excludes(any)->excludes(open);
  run->add_option("-k,--pes-per-rank", pes_per_rank, "under an MPI, PEs in each rank: -n / K ranks")
      ->check(CLI::Range(1, 1024));
  run->add_option("program", program, "the program and its arguments")->required();
  run->prefix_command();
  run->positionals_at_end();

  CLI::App* sim = app.add_subcommand("sim", "run a program on a simulated machine, and tell where its time went");
  command::simulated_job simulated_job;
  sim->add_option("-n,--pes", simulated_job.pes, "number of PEs; default: what the machine has")
      ->check(CLI::Range(1, 1'000'000));
  sim->add_option("--trace", simulated_job.trace, "FILE for what each PE did and when (Perfetto, chrome://tracing)");
  sim->add_option("--report", simulated_job.report, "FILE for where the time went, as JSON; default: -, a table");
  command::add_simulation_options(*sim, simulated_job);

  CLI::App* predict =
      app.add_subcommand("predict", "run a program on more and more simulated PEs: times, speed-up, and a picture");
  command::prediction_job prediction;
  predict->add_option("-p,--pes", prediction.pes, "the numbers of PEs, such as 1,2,4,...,4096 or 10,20,...,80")
      ->required();
  predict->add_option("-o,--out", prediction.folder, "folder for prediction.json, .csv, .png and .svg; default: none");
  predict->add_option(
      "-f,--field", prediction.field,
      "take the time from this field, in seconds, of the JSON line that the program prints; default: that "
      "of the whole job, with its beginning and its checks");
  predict->add_flag("--json", prediction.json, "print what goes to prediction.json instead of a table");
  predict->add_flag("--weak", prediction.weak, "the work grows with the PEs: ideal is a time that stays");
  command::add_simulation_options(*predict, prediction.each);

  CLI::App* calibrate =
      app.add_subcommand("calibrate", "measure this computer, and describe it as a machine to simulate");
  command::calibration calibration;
  calibrate->add_option("-t,--transport", calibration.transport, "threads, openmpi or mpich; default: threads")
      ->check(CLI::IsMember({"threads", "openmpi", "mpich"}));
  calibrate
      ->add_option("-n,--pes", calibration.pes, "number of PEs; messages go between the first and the last; default: 2")
      ->check(CLI::Range(2, 1'000'000));
  calibrate->add_option("-o,--out", calibration.file, "the machine's file; default: host-calibrated.toml");
  calibrate->add_option("-r,--repetitions", calibration.repetitions, "of each measurement; default: 7")
      ->check(CLI::Range(1, 1000));
  calibrate->add_flag("--quick", calibration.quick, "a tenth of the trials in each repetition");

  CLI::App* machines = app.add_subcommand("machines", "list the machines there are to simulate, or tell about one");
  std::string machine;
  machines->add_option("name", machine, "a machine, or a TOML file");

  CLI::App* explore = app.add_subcommand(
      "explore", "run a program under many schedules of a simulated machine, and say which seeds fail");
  command::exploration what;
  std::string fault = "none";
  explore->add_option("--runs", what.runs, "how many seeds")->capture_default_str();
  explore->add_option("--seed", what.first, "the first of them")->check(CLI::PositiveNumber)->capture_default_str();
  explore->add_option("--pes", what.pes, "numbers of PEs that a seed draws from")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  explore->add_option("-j,--jobs", what.jobs, "runs at a time; default: the cores this process may use")
      ->check(CLI::PositiveNumber);
  explore->add_option("--machine", what.machine, "the machine to simulate: a name or a file");
  explore->add_option("--fault", fault, "pe: in each run a PE dies, and the job must end with the error that names it")
      ->check(CLI::IsMember({"none", "pe"}))
      ->capture_default_str();
  explore->add_option("--time-limit", what.limit_s, "seconds of its own time after which a job has failed")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  explore->add_option("--wall-limit", what.wall_limit_s, "seconds of this computer's time after which a run has failed")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  explore->add_option("--failures", what.most_failures, "stop after so many")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  explore->add_option("program", what.program, "the program and its arguments")->required();
  explore->prefix_command();
  explore->positionals_at_end();

  CLI::App* doctor =
      app.add_subcommand("doctor", "check compiler, MPIs, plug-ins, cores and memory, and say how to mend them");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return e.get_exit_code() == 0 ? app.exit(e) : (app.exit(e), exit_code::usage);
  }
  if (doctor->parsed()) return command::doctor(command::own_path());
  if (machines->parsed()) return command::machines(machine);
  if (calibrate->parsed()) return command::calibrate(calibration);
  if (predict->parsed()) {
    command::take_program(*predict, prediction.each.program);
    return command::predict(prediction);
  }
  if (sim->parsed()) {
    command::take_program(*sim, simulated_job.program);
    command::simulate(std::move(simulated_job));
  }

  if (explore->parsed()) {
    command::take_program(*explore, what.program);
    what.faults = fault == "pe";
    return command::explore(what);
  }

  command::take_program(*run, program);
  if (!mpi && !openmpi && !mpich) {
    if (pes_per_rank > 1)
      end_job(exit_code::usage,
              "tsubu: --pes-per-rank is for --mpi, --openmpi and --mpich; on threads all PEs share one process");
    run_on_threads(pes, program);
  }
  const std::string chosen = command::choose_mpi(openmpi ? "openmpi" : mpich ? "mpich" : "mpi");
  if (pes == 0) pes = std::max(static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)) / pes_per_rank, 1) * pes_per_rank;
  if (pes % pes_per_rank != 0)
    end_job(exit_code::usage, fmt::format("tsubu: {} PEs cannot be dealt to ranks of {}", pes, pes_per_rank));
  command::become(command::launch_line(chosen, pes / pes_per_rank, pes_per_rank, program));
}
