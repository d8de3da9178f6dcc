// The command `tsubu`: finds the subcommand, and says so where there is none of that name.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/base/settings.hpp"
#include "tsubu/command/calibration_job.hpp"
#include "tsubu/command/hello.hpp"
#include "tsubu/command/subcommand.hpp"
#include "tsubu/run/version.hpp"

namespace {

using namespace tsubu;

constexpr std::string_view subcommands[] = {"run",       "sim",      "predict", "profile", "explore",
                                            "calibrate", "machines", "lint",    "doctor",  "hello"};

std::string list_of_commands() {
  std::string list;
  for (const std::string_view one : subcommands) {
    if (one != "hello") list += (list.empty() ? "" : (one == "doctor" ? " and " : ", ")) + std::string(one);
  }
  return list;
}

// What CLI11 says of wrong words, which are the user's, on one line.
std::string failure(const CLI::App* app, const CLI::Error& e) {
  return one_line(e.what()) + CLI::FailureMessage::simple(app, e).substr(std::string_view(e.what()).size());
}

void refuse_unknown(std::string_view given) {
  if (std::find(std::begin(subcommands), std::end(subcommands), given) != std::end(subcommands)) return;
  const std::string near = nearest(given, subcommands, std::size(subcommands));
  end_job(exit_code::usage,
          fmt::format("tsubu: there is no command '{}'; {}", one_line(given),
                      near.empty() ? "there are " + list_of_commands() : "did you mean " + near + "?"));
}

}  // namespace

static int act(int argc, char** argv) {
  // The jobs that doctor and calibrate start read their own options.
  if (argc > 1 && std::string_view(argv[1]) == "hello") return command::hello(argc, argv);
  if (argc > 1 && std::string_view(argv[1]) == "calibration-job") return command::calibration_job(argc - 1, argv + 1);
  if (argc > 1 && argv[1][0] != '-') refuse_unknown(argv[1]);

  CLI::App app(
      "Starts jobs of programs written with Tsubu, here or on a simulated machine, and looks after the machine they "
      "run on.\n"
      "Tsubu's own options are those of the program: PROGRAM --tsubu-help lists them.",
      "tsubu");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("tsubu ") + version());
  app.failure_message(failure);
  const std::vector<std::unique_ptr<command::subcommand>> all = command::add_subcommands(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return e.get_exit_code() == 0 ? app.exit(e) : (app.exit(e), exit_code::usage);
  }
  const auto chosen = std::find_if(all.begin(), all.end(), [](const auto& one) { return one->parsed(); });
  return (*chosen)->act();
}

int main(int argc, char** argv) {
  try {
    return act(argc, argv);
  } catch (const std::exception& e) {  // of the standard library and of libraries: no room, no folder, no output
    end_job(exit_code::failed, fmt::format("tsubu: {}", e.what()));
  }
}
