#include "tsubu/run/plugins.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tsubu/base/check.hpp"
#include "tsubu/base/program_folders.hpp"

namespace tsubu::run_detail {
namespace {

[[noreturn]] void refuse(const std::string& message) { end_job(exit_code::unavailable, "tsubu: " + message); }

struct stat status_of(const std::string& path) {
  struct stat of{};
  if (::stat(path.c_str(), &of) != 0) refuse(path + " cannot be looked at: " + std::strerror(errno));
  return of;
}

// Who may write the file, or put another one into its place, runs code as this user. A group that is the user's own
// counts as the user.
void check_trusted(const std::string& path, const std::string& file) {
  const struct stat of = status_of(path);
  const bool owner_trusted =
      of.st_uid == 0 || of.st_uid == ::geteuid() || of.st_uid == status_of("/proc/self/exe").st_uid;
  const bool sticky = S_ISDIR(of.st_mode) && (of.st_mode & S_ISVTX) != 0;
  std::string reason;
  if (!owner_trusted) {
    reason = "belongs to user " + std::to_string(of.st_uid) + ", who is neither you, nor root, nor the program's owner";
  } else if ((of.st_mode & S_IWOTH) != 0 && !sticky) {
    reason = "may be written by everybody";
  } else if ((of.st_mode & S_IWGRP) != 0 && !sticky && of.st_gid != 0 && of.st_gid != ::getegid()) {
    reason = "may be written by group " + std::to_string(of.st_gid);
  }
  if (!reason.empty()) refuse("the transport plug-in " + file + " is not loaded: " + path + " " + reason);
}

std::string folder_of(const std::string& file) { return file.substr(0, file.rfind('/')); }

}  // namespace

std::string find_plugin(std::string_view name, const std::string& folder, std::vector<std::string>* looked_in) {
  std::vector<std::string> folders;
  if (!folder.empty()) {
    folders = {folder};
  } else {
    folders = library_folders();
    folders.insert(folders.begin(), program_folder() + "/../lib/tsubu");
  }
  for (const std::string& in : folders) {
    const std::string file = in + "/tsubu-transport-" + std::string(name) + ".so";
    if (::access(file.c_str(), R_OK) == 0) return file;
    if (looked_in != nullptr) looked_in->push_back(in);
  }
  return "";
}

loaded_plugin load_plugin(const std::string& name, const std::string& folder) {
  std::vector<std::string> looked_in;
  const std::string file = find_plugin(name, folder, &looked_in);
  if (file.empty()) {
    std::string places;
    for (const std::string& place : looked_in) places += (places.empty() ? "" : ", ") + place;
    refuse("the transport plug-in tsubu-transport-" + name + ".so is not there (looked in " + places +
           "): build Tsubu with that MPI installed, or name its folder with --tsubu-plugins");
  }
  check_trusted(folder_of(file), file);
  check_trusted(file, file);
  // Global: the components that an MPI library loads later look for its symbols.
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) refuse("the transport plug-in does not load: " + std::string(::dlerror()));
  const auto* found = static_cast<const transport::plugin*>(::dlsym(library, "tsubu_transport_plugin"));
  const auto* calls = static_cast<const transport::calls_of_library*>(::dlsym(library, "tsubu_transport_calls"));
  if (found == nullptr || found->abi != transport::plugin_abi) {
    refuse(file + " is not a transport plug-in of this version of Tsubu");
  }
  const auto* carrying =
      static_cast<const transport::choose_mpi_carrying*>(::dlsym(library, "tsubu_transport_carrying"));
  return {found->launch, calls != nullptr ? *calls : nullptr, carrying != nullptr ? *carrying : nullptr};
}

}  // namespace tsubu::run_detail
