// The command `tsubu`.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/settings.hpp"
#include "tsubu/command/doctor.hpp"
#include "tsubu/command/hello.hpp"
#include "tsubu/command/launch.hpp"

namespace {

using namespace tsubu;

constexpr std::string_view subcommands[] = {"run", "doctor", "hello"};

std::string own_path() {
  std::string path(4096, '\0');
  const ssize_t n = ::readlink("/proc/self/exe", path.data(), path.size());
  path.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return path;
}

void run_on_threads(int pes, const std::vector<std::string>& program) {
  if (pes > 0) ::setenv("TSUBU_PES", std::to_string(pes).c_str(), 1);
  ::setenv("TSUBU_TRANSPORT", "threads", 1);
  command::become(program);
}

}  // namespace

int main(int argc, char** argv) {
  // The job that doctor starts reads its own options.
  if (argc > 1 && std::string_view(argv[1]) == "hello") return command::hello(argc, argv);
  if (argc > 1 && argv[1][0] != '-') {
    const std::string_view given = argv[1];
    bool known = false;
    for (const std::string_view one : subcommands) known = known || one == given;
    if (!known) {
      const std::string near = nearest(given, subcommands, std::size(subcommands));
      end_job(exit_code::usage, fmt::format("tsubu: there is no command '{}'; {}", given,
                                            near.empty() ? "there are run and doctor" : "did you mean " + near + "?"));
    }
  }

  CLI::App app(
      "Starts jobs of programs written with Tsubu, and looks after the machine they run on.\n"
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

  CLI::App* doctor =
      app.add_subcommand("doctor", "check compiler, MPIs, plug-ins, cores and memory, and say how to mend them");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return e.get_exit_code() == 0 ? app.exit(e) : (app.exit(e), exit_code::usage);
  }
  if (doctor->parsed()) return command::doctor(own_path());

  for (const std::string& word : run->remaining()) program.push_back(word);
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
