#include "tsubu/run/plugins.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include "tsubu/base/check.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/base/program_folders.hpp"
#include "tsubu/base/trust.hpp"

namespace tsubu::run_detail {
namespace {

[[noreturn]] void refuse(const std::string& message) { end_job(exit_code::unavailable, one_line("tsubu: " + message)); }

void check_trusted(const std::string& path, const std::string& file) {
  const std::string reason = why_not_trusted(path);
  if (!reason.empty()) refuse("the transport plug-in " + file + " is not loaded: " + reason);
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
  const auto* start = static_cast<const transport::watch_mpi_start*>(::dlsym(library, "tsubu_transport_start"));
  const auto* inside = static_cast<const transport::inside_mpi*>(::dlsym(library, "tsubu_transport_inside"));
  const auto* held = static_cast<const transport::held_end*>(::dlsym(library, "tsubu_transport_held"));
  return {found->launch,
          calls != nullptr ? *calls : nullptr,
          carrying != nullptr ? *carrying : nullptr,
          start != nullptr ? *start : nullptr,
          inside,
          held};
}

}  // namespace tsubu::run_detail
