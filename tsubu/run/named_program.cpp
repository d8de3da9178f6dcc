#include "tsubu/run/named_program.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/run/inside.hpp"
#include "tsubu/run/mpi_library.hpp"

namespace tsubu::mpi {
namespace {

using program = task<int> (*)(arguments);

// Made by the first one: which file's names are given first is not said.
std::multimap<std::string, program>& all_programs() {
  static std::multimap<std::string, program> all;
  return all;
}

// Null, and a line, if it is not the name of one.
program program_of(const std::string& name) {
  const auto [begin, end] = all_programs().equal_range(name);
  if (begin != end && std::next(begin) == end) return begin->second;
  std::string known;
  for (const auto& of_one : all_programs()) known += (known.empty() ? "" : ", ") + of_one.first;
  std::fprintf(stderr, "tsubu: %s is called \"%s\"; there are: %s\n",
               begin == end ? "no program" : "more than one program", one_line(name).c_str(),
               known.empty() ? "none" : known.c_str());
  return nullptr;
}

// The plug-in for the MPI that the program is linked to; null, and a line, if there is none.
const char* plugin_of_mpi() {
  if (run_detail::is_linked_to_mpi_library()) return "mpi_abi";
  constexpr std::size_t longest = 8192;  // that of any MPI
  std::array<char, longest> said{};
  int length = 0;
  const auto version = reinterpret_cast<int (*)(char*, int*)>(::dlsym(RTLD_DEFAULT, "MPI_Get_library_version"));
  if (version != nullptr) version(said.data(), &length);
  const std::string_view library(said.data());
  if (library.find("Open MPI") != library.npos) return "openmpi";
  for (const char* const of_mpich : {"MPICH", "Intel(R) MPI", "MVAPICH"}) {
    if (library.find(of_mpich) != library.npos) return "mpich";
  }
  std::fprintf(stderr, "tsubu: there is no plug-in for this program's MPI: %s\n",
               version == nullptr ? "it is linked to none" : one_line(std::string(library)).c_str());
  return nullptr;
}

// Fortran's number of a communicator of the standard ABI.
std::intptr_t handle_of(int number) {
  const auto from_number = reinterpret_cast<void* (*)(int)>(::dlsym(RTLD_DEFAULT, "MPI_Comm_fromint"));
  return from_number != nullptr ? reinterpret_cast<std::intptr_t>(from_number(number)) : 0;
}

int run_named(const run_detail::mpi_caller& caller, const char* name, const char* words, bool everywhere) {
  std::vector<std::string> all;
  std::istringstream in(words == nullptr ? "" : words);
  for (std::string word; in >> word;) all.push_back(std::move(word));
  const auto what = program_of(name == nullptr ? "" : name);
  // The ranks agree that one of them has none, so none waits for it.
  return run_detail::run_inside(caller, what, all, everywhere);
}

}  // namespace

named_program::named_program(std::string name, program what) { all_programs().emplace(std::move(name), what); }

}  // namespace tsubu::mpi

extern "C" int tsubu_run_named(int communicator, const char* program, const char* words, int everywhere) {
  using namespace tsubu;
  const char* const plugin = mpi::plugin_of_mpi();
  if (plugin == nullptr) return exit_code::unavailable;
  if (run_detail::is_linked_to_mpi_library()) {
    return mpi::run_named({plugin, mpi::handle_of(communicator)}, program, words, everywhere != 0);
  }
  return mpi::run_named({plugin, communicator}, program, words, everywhere != 0);
}

extern "C" int tsubu_run_named_on(const void* communicator, const char* program, const char* words, int everywhere) {
  return tsubu::mpi::run_named({"mpi_abi", reinterpret_cast<std::intptr_t>(communicator)}, program, words,
                               everywhere != 0);
}
