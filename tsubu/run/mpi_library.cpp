#include "tsubu/run/mpi_library.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <system_error>

#include "tsubu/base/check.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/run/launcher.hpp"

namespace tsubu::run_detail {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "libmpi_abi.so.1";
// A tool that looks on has the functions without the P itself; an MPI has these.
constexpr const char* of_every_mpi = "PMPI_Init_thread";

[[noreturn]] void refuse(const std::string& message) { end_job(exit_code::unavailable, one_line("tsubu: " + message)); }

bool is_readable(const fs::path& file) { return ::access(file.c_str(), R_OK) == 0; }

// Programs that start ranks and stay until these have ended: the one that is nearest is theirs.
bool is_launcher(std::string_view program) {
  for (const std::string_view name : {"hydra_pmi_proxy", "mpiexec", "mpirun", "orted", "orterun", "prte"}) {
    if (program.starts_with(name)) return true;
  }
  return false;
}

// 0: there is none, or it cannot be asked.
pid_t parent_of(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string word; status >> word;) {
    if (word != "PPid:") continue;
    pid_t parent = 0;
    status >> parent;
    return parent;
  }
  return 0;
}

// A script or a debugger may be between it and this process.
std::string launcher_of_process() {
  constexpr int most_between = 16;
  pid_t process = ::getppid();
  for (int k = 0; k < most_between && process > 0; ++k, process = parent_of(process)) {
    std::error_code none;
    const fs::path program = fs::read_symlink("/proc/" + std::to_string(process) + "/exe", none);
    if (is_launcher(program.filename().string())) return program.string();
  }
  return "";
}

// The first of the folders that has it.
std::string find_in(std::string_view folders) {
  while (!folders.empty()) {
    const std::size_t end = folders.find_first_of(":;");
    const fs::path folder(folders.substr(0, end));
    if (!folder.empty() && is_readable(folder / file_name)) return (folder / file_name).string();
    folders = end == folders.npos ? std::string_view() : folders.substr(end + 1);
  }
  return "";
}

// Null: it is not in this process. One that is becomes visible to what is loaded later.
void* library_in_process() { return ::dlopen(file_name, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL); }

std::string file_of(void* library) {
  link_map* map = nullptr;
  return ::dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : file_name;
}

std::string file_with(void* address) {
  Dl_info found{};
  return ::dladdr(address, &found) != 0 && found.dli_fname != nullptr ? found.dli_fname : "";
}

void* load(const std::string& file) {
  void* const library = ::dlopen(file.empty() ? file_name : file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    refuse("the plug-in mpi_abi needs an MPI with the standard ABI: " + std::string(::dlerror()) +
           ". Start the program by that MPI's mpirun, or name the file by --tsubu-mpi-library");
  }
  if (library_in_process() == nullptr) {
    refuse("the plug-in mpi_abi needs an MPI with the standard ABI, whose library is " + std::string(file_name) + "; " +
           file + " is another");
  }
  return library;
}

// A name without a folder means whichever the loader has found.
void check_is(const std::string& asked_for, void* library) {
  std::error_code none;
  if (asked_for.find('/') == asked_for.npos || fs::equivalent(asked_for, file_of(library), none)) return;
  refuse("--tsubu-mpi-library names " + asked_for + ", but " + file_of(library) + " is in this process already");
}

}  // namespace

library_hints library_hints_here(const settings& options) {
  const char* const folders = std::getenv("LD_LIBRARY_PATH");
  return {.asked_for = options.mpi_library,
          .search_path = folders != nullptr ? folders : "",
          .launcher = process_launcher().kind != launcher_kind::none ? launcher_of_process() : ""};
}

std::string library_beside(const std::string& launcher) {
  std::error_code none;
  const fs::path folder = fs::canonical(launcher, none).parent_path().parent_path();
  if (folder.empty()) return "";
  for (const char* const name : {"lib", "lib64"}) {
    if (is_readable(folder / name / file_name)) return (folder / name / file_name).string();
  }
  return "";
}

std::string find_mpi_library(const library_hints& hints) {
  if (!hints.asked_for.empty()) return hints.asked_for;
  if (std::string file = find_in(hints.search_path); !file.empty()) return file;
  return hints.launcher.empty() ? "" : library_beside(hints.launcher);
}

std::string load_mpi_library(const settings& options) {
  void* library = library_in_process();
  if (library == nullptr) {
    library = load(find_mpi_library(library_hints_here(options)));
  } else {
    check_is(options.mpi_library, library);
  }
  const std::string file = file_of(library);
  // The plug-in's calls go to the first that has them, in the order in which they were loaded.
  void* const first = ::dlsym(RTLD_DEFAULT, of_every_mpi);
  if (first != ::dlsym(library, of_every_mpi)) {
    refuse("the job is on the transport mpi_abi, but the program is linked to another MPI, " + file_with(first) +
           ", whose functions would be called in place of those of " + file);
  }
  return file;
}

bool is_linked_to_mpi_library() {
  void* const library = library_in_process();
  return library != nullptr && ::dlsym(RTLD_DEFAULT, of_every_mpi) == ::dlsym(library, of_every_mpi);
}

}  // namespace tsubu::run_detail
