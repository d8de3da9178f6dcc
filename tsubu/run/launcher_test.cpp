// Promise: whatever a launcher leaves in the environment is known for one, and a world that is not its job is told with
// what the launcher said and what MPI has.
#include "tsubu/run/launcher.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace tsubu::run_detail {
namespace {

std::map<std::string, std::string> pretended;

launcher_words with(std::map<std::string, std::string> variables) {
  pretended = std::move(variables);
  return read_launcher([](const char* name) -> const char* {
    const auto at = pretended.find(name);
    return at == pretended.end() ? nullptr : at->second.c_str();
  });
}

world_of_mpi world(int ranks, int rank, std::string_view job = "") {
  return {
      .ranks = ranks, .rank = rank, .library = "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4", .job = job};
}

TEST(launcher, none) {
  const launcher_words said = with({});
  EXPECT_EQ(said.kind, launcher_kind::none);
  EXPECT_EQ(misfit(said, world(1, 0)), "");
  EXPECT_EQ(misfit(said, world(1, 0, "1308950529")), "")
      << "a library that was started by itself may say what it likes";
}

TEST(launcher, open_mpi) {
  const launcher_words said = with({{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "1"}});
  EXPECT_EQ(said.kind, launcher_kind::openmpi);
  EXPECT_EQ(said.ranks, 2);
  EXPECT_EQ(said.rank, 1);
  EXPECT_EQ(misfit(said, world(2, 1)), "");
  EXPECT_EQ(
      misfit(said, world(1, 0)),
      "MPI's world has 1 rank, but the launcher has started 2 (OMPI_COMM_WORLD_SIZE). The library Open MPI v4.1.4 "
      "does not know this launcher: start it by the mpirun of the Open MPI whose library this is, or let "
      "LD_LIBRARY_PATH name the launcher's");
}

TEST(launcher, open_mpi_goes_before_its_own_pmix) {
  const launcher_words said = with(
      {{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "0"}, {"PMIX_RANK", "0"}, {"PMIX_NAMESPACE", "a@1"}});
  EXPECT_EQ(said.kind, launcher_kind::openmpi);
  EXPECT_EQ(misfit(said, world(2, 0, "a@1")), "");
}

TEST(launcher, hydra) {
  const launcher_words said = with({{"PMI_SIZE", "3"}, {"PMI_RANK", "2"}, {"PMI_FD", "6"}});
  EXPECT_EQ(said.kind, launcher_kind::mpich);
  EXPECT_EQ(misfit(said, world(3, 2)), "");
  EXPECT_NE(misfit(said, world(1, 0)).find("has started 3 (PMI_SIZE)"), std::string::npos);
}

TEST(launcher, a_rank_without_a_size) {
  const launcher_words said = with({{"PMI_RANK", "0"}});
  EXPECT_EQ(said.kind, launcher_kind::mpich);
  EXPECT_EQ(said.ranks, 0) << "not known, so perhaps many";
}

TEST(launcher, hydra_over_a_port) {
  const launcher_words said = with({{"PMI_PORT", "here:1234"}, {"PMI_ID", "1"}});
  EXPECT_EQ(said.kind, launcher_kind::mpich);
  EXPECT_EQ(said.ranks, 0);
  EXPECT_EQ(misfit(said, world(2, 1)), "");
  EXPECT_NE(misfit(said, world(1, 0)).find("this is rank 1 (PMI_ID)"), std::string::npos);
  EXPECT_EQ(with({{"PMI_ID", "0"}}).kind, launcher_kind::mpich);
  EXPECT_EQ(with({{"PMI_PORT", "here:1234"}}).kind, launcher_kind::mpich);
}

TEST(launcher, pmix) {
  const launcher_words said = with({{"PMIX_RANK", "1"}, {"PMIX_NAMESPACE", "prterun-7@1"}});
  EXPECT_EQ(said.kind, launcher_kind::pmix);
  EXPECT_EQ(said.ranks, 0);
  EXPECT_EQ(misfit(said, world(2, 1, "prterun-7@1")), "");
  EXPECT_NE(misfit(said, world(1, 0, "prterun-7@1")).find("this is rank 1 (PMIX_RANK)"), std::string::npos);
}

// Rank 0 of a world of one would be right by its number.
TEST(launcher, pmix_that_the_library_has_not_joined) {
  const launcher_words said = with({{"PMIX_RANK", "0"}, {"PMIX_NAMESPACE", "prterun-7@1"}});
  EXPECT_EQ(misfit(said, world(1, 0, "prterun-7@1")), "");
  EXPECT_NE(
      misfit(said, world(1, 0, "1323302913")).find("PMIX_NAMESPACE was prterun-7@1, and MPI has made it 1323302913"),
      std::string::npos);
}

TEST(launcher, slurm_by_pmix) {
  const launcher_words said = with({{"PMIX_RANK", "0"},
                                    {"PMIX_NAMESPACE", "slurm.pmix.12.0"},
                                    {"SLURM_PROCID", "0"},
                                    {"SLURM_STEP_NUM_TASKS", "4"}});
  EXPECT_EQ(said.kind, launcher_kind::pmix);
  EXPECT_EQ(said.ranks, 4);
  EXPECT_NE(misfit(said, world(1, 0, "slurm.pmix.12.0")).find("has started 4 (SLURM_STEP_NUM_TASKS)"),
            std::string::npos);
}

TEST(launcher, slurm_alone) {
  const launcher_words said = with({{"SLURM_PROCID", "3"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_NTASKS", "4"}});
  EXPECT_EQ(said.kind, launcher_kind::slurm);
  EXPECT_EQ(said.ranks, 4);
  EXPECT_EQ(said.rank, 3);
  EXPECT_EQ(misfit(said, world(4, 3)), "");
  EXPECT_NE(misfit(said, world(1, 0)).find("srun --mpi=pmix"), std::string::npos);
}

TEST(launcher, slurm_that_has_started_one_or_another_launcher) {
  EXPECT_EQ(with({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}).kind, launcher_kind::none) << "a script of sbatch";
  EXPECT_EQ(with({{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}).kind, launcher_kind::none);
  // mpirun within a step of two nodes: one daemon on each is the step, and the ranks are the daemons'.
  const launcher_words ranks =
      with({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"PMI_SIZE", "8"}, {"PMI_RANK", "5"}});
  EXPECT_EQ(ranks.kind, launcher_kind::mpich);
  EXPECT_EQ(misfit(ranks, world(8, 5)), "");
  const launcher_words prte = with(
      {{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"PMIX_RANK", "5"}, {"PMIX_NAMESPACE", "prterun-7@1"}});
  EXPECT_EQ(prte.ranks, 0);
}

TEST(launcher, what_is_no_number_says_nothing) {
  const launcher_words said = with({{"OMPI_COMM_WORLD_SIZE", "two"}, {"OMPI_COMM_WORLD_RANK", "-1"}});
  EXPECT_EQ(said.kind, launcher_kind::openmpi);
  EXPECT_EQ(said.ranks, 0);
  EXPECT_EQ(said.rank, -1);
}

TEST(launcher, names_of_libraries_on_one_line) {
  const launcher_words said = with({{"PMI_SIZE", "2"}, {"PMI_RANK", "0"}});
  const std::string line = misfit(
      said, {.ranks = 1, .rank = 0, .library = "MPICH Version:\t\t4.0.2\nMPICH Release date:\tThu\n", .job = ""});
  EXPECT_NE(line.find("The library MPICH Version: 4.0.2 does not"), std::string::npos);
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

// Several libraries may have been meant by one name.
TEST(launcher, the_file_of_a_library_of_the_standard_abi) {
  const launcher_words said = with({{"PMI_SIZE", "2"}, {"PMI_RANK", "0"}});
  const std::string line = misfit(
      said, {.ranks = 1, .rank = 0, .library = "MPICH Version:      5.0.2", .file = "/a/libmpi_abi.so.1", .job = ""});
  EXPECT_NE(line.find("The library MPICH Version: 5.0.2 (/a/libmpi_abi.so.1) does not know"), std::string::npos);
  EXPECT_TRUE(line.ends_with(", or name the launcher's by --tsubu-mpi-library"));
}

}  // namespace
}  // namespace tsubu::run_detail
