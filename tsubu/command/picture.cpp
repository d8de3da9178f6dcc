#include "tsubu/command/picture.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace tsubu::command {
namespace {

namespace fs = std::filesystem;

// Beside the programs: those of a build tree, too.
std::string path_of(std::string_view script) {
  const fs::path file = fs::path(own_path()).parent_path().parent_path() / "share/tsubu" / script;
  std::error_code none;
  return fs::exists(file, none) ? file.string() : "";
}

}  // namespace

std::string draw_by(std::string_view script, const std::string& file, const std::string& folder,
                    const workplace& here) {
  // The system's python3 has matplotlib where Debian's package is installed, whichever comes first in the PATH.
  constexpr int no_matplotlib = 3;  // exit code of the script
  constexpr int no_command = 127;   // of env
  const std::string path = path_of(script);
  if (path.empty()) return fmt::format("the script {} is not there", script);
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    const int code = run_quietly({"env", python, path, file, folder}, here.file("plot"));
    if (code == 0) return "";
    if (code == no_matplotlib || code == no_command) continue;
    return fmt::format("{} ended with exit code {}: {}", path, code, last_lines(text_of(here.file("plot")), 1));
  }
  return "no python3 has matplotlib (Debian: python3-matplotlib)";
}

}  // namespace tsubu::command
