// Promise: each launcher's jobs get the plug-in whose library speaks to it, and one that is missing can be told.
#include "tsubu/run/mpi_choice.hpp"

#include <gtest/gtest.h>

namespace tsubu::run_detail {
namespace {

constexpr mpis_here all{.openmpi = true, .mpich = true, .mpi_abi = true};
constexpr mpis_here all_with_library{.openmpi = true, .mpich = true, .mpi_abi = true, .has_library = true};
constexpr mpis_here only_abi{.mpi_abi = true, .has_library = true};

TEST(mpi_choice, the_launchers_own_library_before_another_mpichs) {
  EXPECT_EQ(plugin_for(launcher_kind::mpich, all), "mpich");
  EXPECT_EQ(plugin_for(launcher_kind::mpich, all_with_library), "mpi_abi");
  EXPECT_EQ(plugin_for(launcher_kind::mpich, {.mpich = true, .has_library = true}), "mpich") << "not built";
  EXPECT_EQ(plugin_for(launcher_kind::mpich, {.mpi_abi = true}), "mpi_abi") << "the loader may know one";
}

TEST(mpi_choice, open_mpis_launcher) {
  EXPECT_EQ(plugin_for(launcher_kind::openmpi, all_with_library), "openmpi");
  EXPECT_EQ(plugin_for(launcher_kind::openmpi, only_abi), "mpi_abi");
  EXPECT_EQ(plugin_for(launcher_kind::openmpi, {.mpi_abi = true}), "openmpi") << "what is missing is Open MPI's";
}

TEST(mpi_choice, a_launcher_of_several_and_none) {
  for (const launcher_kind kind : {launcher_kind::pmix, launcher_kind::none, launcher_kind::slurm}) {
    EXPECT_EQ(plugin_for(kind, all_with_library), "openmpi");
    EXPECT_EQ(plugin_for(kind, {.mpich = true, .mpi_abi = true}), "mpich");
    EXPECT_EQ(plugin_for(kind, {.mpi_abi = true}), "mpi_abi");
    EXPECT_EQ(plugin_for(kind, {}), "mpich");
  }
}

TEST(mpi_choice, a_library_that_is_asked_for) {
  for (const launcher_kind kind : {launcher_kind::openmpi, launcher_kind::mpich, launcher_kind::pmix}) {
    EXPECT_EQ(plugin_for(kind, {.openmpi = true, .mpich = true, .mpi_abi = true, .is_asked_for = true}), "mpi_abi");
  }
}

TEST(mpi_choice, who_serves_whom) {
  EXPECT_TRUE(serves(launcher_kind::mpich, "mpich"));
  EXPECT_TRUE(serves(launcher_kind::mpich, "mpi_abi"));
  EXPECT_FALSE(serves(launcher_kind::mpich, "openmpi"));
  EXPECT_FALSE(serves(launcher_kind::mpich, "threads"));
  EXPECT_TRUE(serves(launcher_kind::openmpi, "mpi_abi"));
  EXPECT_FALSE(serves(launcher_kind::openmpi, "mpich"));
  EXPECT_TRUE(serves(launcher_kind::pmix, "mpich"));
  EXPECT_FALSE(serves(launcher_kind::pmix, "threads"));
  EXPECT_TRUE(serves(launcher_kind::none, "threads"));
  EXPECT_TRUE(serves(launcher_kind::slurm, "threads")) << "if that is asked for";
}

}  // namespace
}  // namespace tsubu::run_detail
