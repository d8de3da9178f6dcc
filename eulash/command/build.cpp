#include "eulash/command/build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/Support/Program.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "tsubu/base/files.hpp"
#include "tsubu/base/leftovers.hpp"
#include "tsubu/base/program_folders.hpp"

namespace eulash {
namespace {

namespace fs = std::filesystem;

// Where the headers and the libraries are: beside the command if it is installed; in a build tree, a file there says
// where.
struct tsubu_folders {
  std::string include, library, plugins;
};
tsubu_folders find_tsubu() {
  const fs::path prefix = fs::path(tsubu::program_folder()).parent_path();
  tsubu_folders found{(prefix / "include").string(), (prefix / EULASH_LIBRARY_FOLDER).string(),
                      (prefix / "lib/tsubu").string()};
  if (fs::exists(fs::path(found.include) / "tsubu/eulash/program.h")) return found;
  const fs::path said = prefix / "share/eulash/build_tree";
  std::ifstream file(said);
  if (!std::getline(file, found.include) || !std::getline(file, found.library) || !std::getline(file, found.plugins))
    throw std::runtime_error(
        fmt::format("neither {} nor {} is there, so Tsubu is not found", found.include, said.string()));
  return found;
}

void write(const fs::path& path, const std::string& text) {
  const std::string trouble = tsubu::write_file({path.string(), {}, true}, text);
  if (!trouble.empty()) throw std::runtime_error(fmt::format("{}: {}", path.string(), trouble));
}

std::vector<std::string> command_for(const std::vector<std::string>& sources, const compiler_words& words,
                                     const build_options& how) {
  const tsubu_folders tsubu = find_tsubu();
  const char* const chosen = std::getenv("CC");
  std::vector<std::string> all{chosen != nullptr && *chosen != 0 ? chosen : EULASH_CC};
  // What is made has expressions of GNU C, and headers of POSIX.
  for (std::string word : words.meaning) all.push_back(word.starts_with("-std=c") ? "-std=gnu" + word.substr(6) : word);
  all.insert(all.end(), {"-isystem", tsubu.include, "-no-pie", "-pthread"});
  if (how.races) all.emplace_back("-DEULASH_RACES");
  std::istringstream sanitizer(EULASH_SANITIZER);  // of this build of Tsubu
  for (std::string word; sanitizer >> word;) all.push_back(word);
  all.insert(all.end(), sources.begin(), sources.end());
  all.insert(all.end(), words.others.begin(), words.others.end());
  // A macro gives a value, also where the program's statement wants none. (g++ says nothing of macros of a system's.)
  all.emplace_back("-Wno-unused-value");
  all.insert(all.end(), {"-o", how.to, "-L" + tsubu.library, "-Wl,-rpath," + tsubu.plugins, "-ltsubu_eulash_main",
                         "-ltsubu", "-lfmt", "-lhwloc", "-lboost_context", "-ldl", "-lstdc++", "-lm"});
  return all;
}

}  // namespace

std::string anl_macros() {
  const fs::path installed = fs::path(tsubu::program_folder()).parent_path() / EULASH_DATA_FOLDER "/eulash/anl.m4";
  return fs::exists(installed) ? installed.string() : find_tsubu().include + "/eulash/anl/anl.m4";
}

int build(const std::vector<translated_file>& sources, const compiler_words& words, const build_options& how) {
  std::optional<tsubu::temporary_folder> gone_later;
  fs::path folder = how.keep;
  if (how.keep.empty()) {
    gone_later.emplace((fs::temp_directory_path() / "eulash-").string());
    folder = gone_later->path();
  } else {
    fs::create_directories(folder);
  }
  std::vector<std::string> files;
  for (const translated_file& source : sources) {
    write(folder / source.name, source.text);
    if (!source.is_header) files.push_back((folder / source.name).string());
  }
  const std::vector<std::string> command = command_for(files, words, how);
  if (how.verbose) fmt::print(stderr, "{}\n", fmt::join(command, " "));
  const auto compiler = llvm::sys::findProgramByName(command[0]);
  if (!compiler) throw std::runtime_error(fmt::format("there is no C compiler {}", command[0]));
  const std::vector<llvm::StringRef> called(command.begin(), command.end());
  std::string why;
  const int code = llvm::sys::ExecuteAndWait(*compiler, called, std::nullopt, {}, 0, 0, &why);
  if (!why.empty()) throw std::runtime_error(fmt::format("{}: {}", command[0], why));
  return code;
}

}  // namespace eulash
