// Promise: temporary folders and children are gone, however the process that has them ends.
#include "tsubu/base/leftovers.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "tsubu/base/check.hpp"

namespace {

using namespace tsubu;
namespace fs = std::filesystem;

pid_t start_sleeping(const held_signals& held) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::setpgid(0, 0);
    held.let_go_in_child();
    for (;;) ::pause();
  }
  ::setpgid(child, child);
  return child;
}

struct told {
  char folder[256] = {};
  pid_t child = 0;
};

// A process that has a folder with a file in a folder, and a child that sleeps; how it ended, and whether both are
// gone.
void expect_gone(const std::function<void()>& end, const std::function<bool(int)>& is_right) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t process = ::fork();
  if (process == 0) {
    const temporary_folder work(::testing::TempDir() + "tsubu-leftovers-");
    fs::create_directory(work.path() + "/inner");
    std::ofstream(work.path() + "/inner/file") << "text";
    told t;
    work.path().copy(t.folder, sizeof t.folder - 1);
    {
      const held_signals held;
      t.child = start_sleeping(held);
      static const child_of_process known(t.child, reach::group);
    }
    if (::write(ends[1], &t, sizeof t) != sizeof t) std::_Exit(9);
    end();
    std::_Exit(0);
  }
  told t;
  ASSERT_EQ(::read(ends[0], &t, sizeof t), static_cast<ssize_t>(sizeof t));
  int status = 0;
  ASSERT_EQ(::waitpid(process, &status, 0), process);
  EXPECT_TRUE(is_right(status)) << status;
  EXPECT_FALSE(fs::exists(t.folder)) << t.folder;
  EXPECT_NE(::kill(t.child, 0), 0);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(leftovers, are_gone_when_a_signal_ends_the_process) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    expect_gone([number] { ::raise(number); }, [number](int s) { return WIFSIGNALED(s) && WTERMSIG(s) == number; });
  }
}

TEST(leftovers, are_gone_when_end_job_ends_it) {
  expect_gone([] { end_job(7, "as it should be"); }, [](int s) { return WIFEXITED(s) && WEXITSTATUS(s) == 7; });
}

TEST(leftovers, are_gone_with_their_values) {
  std::string path;
  {
    const temporary_folder work(::testing::TempDir() + "tsubu-leftovers-");
    path = work.path();
    EXPECT_TRUE(fs::is_directory(path));
    struct sigaction now{};
    ASSERT_EQ(::sigaction(SIGTERM, nullptr, &now), 0);
    EXPECT_NE(now.sa_handler, SIG_DFL);
  }
  EXPECT_FALSE(fs::exists(path));
  struct sigaction now{};
  ASSERT_EQ(::sigaction(SIGTERM, nullptr, &now), 0);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
}

TEST(leftovers, what_is_ignored_stays_so) {
  std::signal(SIGHUP, SIG_IGN);
  {
    const temporary_folder work(::testing::TempDir() + "tsubu-leftovers-");
    ::raise(SIGHUP);
    EXPECT_TRUE(fs::is_directory(work.path()));
  }
  std::signal(SIGHUP, SIG_DFL);
}

}  // namespace
