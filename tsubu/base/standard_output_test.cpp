// Promise: a process whose output is lost says so once and does not end with 0, however it was printed; one that has
// written all ends as it would have.
#include "tsubu/base/standard_output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

namespace {

using namespace tsubu;

struct ended {
  int status;
  std::string told;  // on its standard error
};

// A process that prints to the file `out`, and ends by exit().
template <class Print>
ended printing_to(int out, Print print, int code = 0) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(out, STDOUT_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[1]);
    print();
    std::exit(code);
  }
  ::close(ends[1]);
  ended how{0, ""};
  char some[512];
  for (ssize_t n; (n = ::read(ends[0], some, sizeof some)) > 0;) how.told.append(some, static_cast<std::size_t>(n));
  ::close(ends[0]);
  EXPECT_EQ(::waitpid(child, &how.status, 0), child);
  return how;
}

struct opened {
  opened(const char* name, int how) : number(::open(name, how | O_CLOEXEC)) {}
  opened(const opened&) = delete;
  opened& operator=(const opened&) = delete;
  ~opened() { ::close(number); }
  int number;
};

void expect_lost(const ended& how, const std::string& why, int code = exit_code::lost_output) {
  ASSERT_TRUE(WIFEXITED(how.status));
  EXPECT_EQ(WEXITSTATUS(how.status), code);
  EXPECT_EQ(std::count(how.told.begin(), how.told.end(), '\n'), 1) << how.told;
  EXPECT_NE(how.told.find("the standard output cannot be written" + why + "\n"), std::string::npos) << how.told;
}

TEST(standard_output, what_is_lost_is_told_however_it_was_printed) {
  const opened full("/dev/full", O_WRONLY);
  expect_lost(printing_to(full.number, [] { std::printf("a\n"); }), ": No space left on device");
  expect_lost(printing_to(full.number, [] { write_output("a\n"); }), ": No space left on device");
  expect_lost(printing_to(full.number, [] { std::cout << "a\n"; }), ": No space left on device");
  expect_lost(printing_to(full.number, [] { write_output(std::string(100'000, 'a')); }), ": No space left on device");
  expect_lost(printing_to(full.number, [] { std::printf("%100000s", ""); }), "");  // C has forgotten the reason
  expect_lost(printing_to(full.number,
                          [] {
                            std::ios::sync_with_stdio(false);
                            std::cout << "a\n";
                          }),
              ": No space left on device");
}

TEST(standard_output, a_process_that_fails_anyway_keeps_its_code) {
  const opened full("/dev/full", O_WRONLY);
  expect_lost(printing_to(full.number, [] { std::printf("a\n"); }, 3), ": No space left on device", 3);
}

TEST(standard_output, a_reader_that_has_gone_is_told_once) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  const auto print = [] {
    std::signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < 10; ++i) {
      std::printf("a\n");
      std::fflush(stdout);
    }
  };
  expect_lost(printing_to(ends[1], print), "");
  ::close(ends[1]);
}

TEST(standard_output, what_is_written_is_no_trouble) {
  const opened nothing("/dev/null", O_WRONLY), full("/dev/full", O_WRONLY), closed("/dev/null", O_RDONLY);
  const ended printed = printing_to(nothing.number, [] { std::printf("%100000s", ""); });
  EXPECT_EQ(printed.status, 0);
  EXPECT_EQ(printed.told, "");
  // Who prints nothing loses nothing.
  EXPECT_EQ(printing_to(full.number, [] {}).status, 0);
  EXPECT_EQ(printing_to(closed.number, [] {}).status, 0);
  expect_lost(printing_to(closed.number, [] { std::printf("a"); }), ": Bad file descriptor");
}

TEST(standard_output, one_may_look_before_the_end) {
  const opened full("/dev/full", O_WRONLY);
  const auto look = [] {
    write_output("a");
    std::_Exit(flush_output() ? 1 : 5);
  };
  EXPECT_EQ(WEXITSTATUS(printing_to(full.number, look).status), 5);
}

}  // namespace
