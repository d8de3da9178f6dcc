// Promise: of several libraries of the standard ABI the one that is asked for comes first, then LD_LIBRARY_PATH's, then
// the launcher's own; and what is none ends the process with a line that says where to name one.
#include "tsubu/run/mpi_library.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tsubu/base/check.hpp"

namespace tsubu::run_detail {
namespace {

namespace fs = std::filesystem;

// A folder of installations, each of which may have a library.
class installations {
 public:
  installations() {
    std::string name = (fs::temp_directory_path() / "tsubu_mpi_library.XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  installations(const installations&) = delete;
  installations& operator=(const installations&) = delete;
  ~installations() { fs::remove_all(folder_); }

  // Its launcher, bin/mpiexec, with a library in the folder `in` beside bin, if that has a name.
  std::string install(const std::string& name, const std::string& in) const {
    fs::create_directories(folder_ / name / "bin");
    std::ofstream(folder_ / name / "bin" / "mpiexec") << "a launcher\n";
    if (!in.empty()) {
      fs::create_directories(folder_ / name / in);
      std::ofstream(library(name, in)) << "not a library\n";
    }
    return (folder_ / name / "bin" / "mpiexec").string();
  }
  std::string library(const std::string& name, const std::string& in = "lib") const {
    return (folder_ / name / in / "libmpi_abi.so.1").string();
  }
  std::string folder(const std::string& name) const { return (folder_ / name / "lib").string(); }
  fs::path path() const { return folder_; }

 private:
  fs::path folder_;
};

TEST(mpi_library, order_of_the_hints) {
  const installations here;
  const std::string launcher = here.install("launchers", "lib");
  here.install("path", "lib");
  here.install("empty", "");
  const std::string path = here.folder("empty") + "::" + here.folder("path") + ":" + here.folder("launchers");
  EXPECT_EQ(find_mpi_library({.asked_for = "/opt/a", .search_path = path, .launcher = launcher}), "/opt/a");
  EXPECT_EQ(find_mpi_library({.asked_for = "", .search_path = path, .launcher = launcher}), here.library("path"));
  EXPECT_EQ(find_mpi_library({.asked_for = "", .search_path = here.folder("empty"), .launcher = launcher}),
            here.library("launchers"));
  EXPECT_EQ(find_mpi_library({}), "") << "what is left is the loader's";
}

TEST(mpi_library, beside_a_launcher) {
  const installations here;
  EXPECT_EQ(library_beside(here.install("wide", "lib64")), here.library("wide", "lib64"));
  EXPECT_EQ(library_beside(here.install("none", "")), "");
  EXPECT_EQ(library_beside("/nowhere/bin/mpiexec"), "");
  // A launcher by another name: a link, as those of alternatives are.
  fs::create_symlink(here.install("real", "lib"), here.path() / "mpirun");
  EXPECT_EQ(library_beside((here.path() / "mpirun").string()), here.library("real"));
}

settings asking_for(const std::string& file) {
  settings options;
  options.mpi_library = file;
  return options;
}

TEST(mpi_library_death, what_is_no_library) {
  const installations here;
  here.install("broken", "lib");
  EXPECT_EXIT(
      load_mpi_library(asking_for(here.library("broken"))), testing::ExitedWithCode(exit_code::unavailable),
      "^tsubu: the plug-in mpi_abi needs an MPI with the standard ABI: .*/broken/lib/libmpi_abi.so.1: .* or name "
      "the file by --tsubu-mpi-library\n$");
  EXPECT_EXIT(load_mpi_library(asking_for("/nowhere/libmpi_abi.so.1")), testing::ExitedWithCode(exit_code::unavailable),
              "/nowhere/libmpi_abi.so.1: cannot open shared object file");
}

// As that of an MPI before the standard ABI.
TEST(mpi_library_death, a_library_by_another_name) {
  EXPECT_EXIT(load_mpi_library(asking_for("libz.so.1")), testing::ExitedWithCode(exit_code::unavailable),
              "^tsubu: .*whose library is libmpi_abi.so.1; libz.so.1 is another\n$");
}

TEST(mpi_library, this_program_is_linked_to_none) { EXPECT_FALSE(is_linked_to_mpi_library()); }

}  // namespace
}  // namespace tsubu::run_detail
