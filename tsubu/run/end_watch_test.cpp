// Promise: a process whose MPI_Finalize does not return ends with its own code, which is 69 where nobody knows it, with
// what it has printed, and with a line; one whose MPI_Finalize returns goes on.
#include "tsubu/run/end_watch.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

namespace tsubu::run_detail {
namespace {

using testing::ExitedWithCode;

[[noreturn]] void never_return() {
  for (;;) ::pause();
}

constexpr end_limit one_second{1, 1};

TEST(end_watch, goes_on_when_mpi_has_ended) {
  static bool called;
  for (const int seconds : {0, 3600}) {
    called = false;
    end_mpi_in_time({seconds, 1}, {0, 0, "MPICH"}, [] { called = true; });
    EXPECT_TRUE(called);
  }
}

TEST(end_watch, ends_with_the_code_and_a_line) {
  EXPECT_EXIT(end_mpi_in_time(one_second, {0, 2, "Open MPI v4.1.4, package: x"}, never_return), ExitedWithCode(0),
              "^tsubu: PE 2: MPI_Finalize of Open MPI v4.1.4 has not returned for 1 s, .* ends without it, with 0 ");
  EXPECT_EXIT(end_mpi_in_time({1, 4}, {3, 2, "MPICH Version:\t4.0.2\nMPICH Release"}, never_return), ExitedWithCode(3),
              "^tsubu: PEs 8 to 11: MPI_Finalize of MPICH Version: 4.0.2 has not .* with 3 ");
}

TEST(end_watch, takes_no_unknown_code_for_a_success) {
  EXPECT_EXIT(end_mpi_in_time(one_second, {{}, 0, "MPICH"}, never_return), ExitedWithCode(69),
              "with 69, since what quick_exit\\(\\) was given is not known ");
}

TEST(end_watch, tells_that_output_is_lost) {
  EXPECT_EXIT(
      {
        ASSERT_NE(std::freopen("/dev/full", "w", stdout), nullptr);
        std::printf("lost");
        end_mpi_in_time(one_second, {0, 0, "MPICH"}, never_return);
      },
      ExitedWithCode(74), "the standard output cannot be written: No space left(.|\n)* with 74 ");
}

TEST(end_watch, waits_for_no_stream_that_a_thread_keeps) {
  EXPECT_EXIT(
      {
        std::FILE* const kept = std::fopen("/dev/null", "w");
        ::flockfile(kept);  // for the thread that waits in MPI, as good as any
        end_mpi_in_time(one_second, {0, 0, "MPICH"}, never_return);
      },
      ExitedWithCode(74), "what it has written to files is lost, since a thread keeps one");
}

}  // namespace
}  // namespace tsubu::run_detail
