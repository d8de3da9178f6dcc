#include "tsubu/sim/machine_search.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "tsubu/base/program_folders.hpp"
#include "tsubu/sim/words.hpp"

namespace tsubu::sim {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders(const std::string& first) {
  std::vector<fs::path> all;
  const char* const variable = std::getenv("TSUBU_MACHINES");
  const std::string named = !first.empty() ? first : (variable != nullptr ? variable : "");
  std::error_code none;
  if (!named.empty()) {
    if (!fs::is_directory(named, none)) refuse("the folder of machines " + named + " is not there");
    all.emplace_back(named);
  }
  all.push_back(fs::path(program_folder()).parent_path() / "share/tsubu/machines");
  for (const fs::path of_tsubu : library_folders()) {
    if (of_tsubu.parent_path().filename() == "lib") {
      all.push_back(of_tsubu.parent_path().parent_path() / "share/tsubu/machines");
    }
  }
  return all;
}

}  // namespace

std::string machine_file(const std::string& name_or_file, const std::string& folder) {
  const bool is_file = name_or_file.find('/') != name_or_file.npos || name_or_file.ends_with(".toml");
  if (is_file) return name_or_file;
  std::string looked_in;
  for (const fs::path& in : folders(folder)) {
    std::error_code none;
    const fs::path file = in / (name_or_file + ".toml");
    if (fs::is_regular_file(file, none)) return file.string();
    looked_in += (looked_in.empty() ? "" : ", ") + in.string();
  }
  const std::vector<std::string> there = machine_names(folder);
  const std::vector<std::string_view> names(there.begin(), there.end());
  const std::string others =
      names.empty() ? ", nor any other: --tsubu-machines names a folder with machines" : "; there are " + list(names);
  refuse("there is no machine '" + name_or_file + "' in " + looked_in + others + "; a file is named with its .toml" +
         did_you_mean(name_or_file, names));
}

std::vector<std::string> machine_names(const std::string& folder) {
  std::vector<std::string> there;
  for (const fs::path& in : folders(folder)) {
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(in, none)) {
      if (entry.path().extension() == ".toml") there.push_back(entry.path().stem().string());
    }
  }
  std::sort(there.begin(), there.end());
  there.erase(std::unique(there.begin(), there.end()), there.end());
  return there;
}

}  // namespace tsubu::sim
