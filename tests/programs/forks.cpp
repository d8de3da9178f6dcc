// Promise: a child that a PE forks in a handler, a method or a task ends alone, with a line, whatever it goes on to do;
// the PE goes on, answers once, and hears all that is sent to it.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/programs/expect.hpp"
#include "tsubu/tsubu.hpp"

using namespace tsubu;

namespace {

enum class deed : std::uint8_t { returns, throws, fails, sends, asks, leaves, becomes_another };
constexpr std::array deeds{deed::returns, deed::throws, deed::fails,          deed::sends,
                           deed::asks,    deed::leaves, deed::becomes_another};
// With what the child of each ends.
constexpr std::array codes{1, 1, 1, 1, 1, 5, 0};

pe_local<int> answers;
void count(int n) { *answers += n; }
int twice(int n) { return 2 * n; }

// Returns in the child, too, if that is its deed; else its exit code, in the parent.
int fork_and(deed what) {
  std::fflush(stdout);
  const pid_t child = ::fork();
  require(child >= 0, "no child");
  if (child != 0) {
    int status = 0;
    require(::waitpid(child, &status, 0) == child, "the child is not there");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;  // the memory that ranks share is not there for it
  }
  switch (what) {
    case deed::throws:
      throw std::runtime_error("torn net");
    case deed::fails:
      fail("arithmetic is broken");
    case deed::sends:
      at(0).past<count>(1000);
      break;
    case deed::leaves:
      ::_exit(5);
    case deed::becomes_another:
      ::execlp("true", "true", nullptr);
      break;
    default:
      break;
  }
  return 1000;
}

task<int> fork_in_task(deed what) {
  const int code = fork_and(what);
  if (what == deed::asks && code == 1000) co_return co_await at(0).now<twice>(500);
  co_await yield();
  co_return code;
}

struct forking : object<forking> {
  int calls = 0;
  int call(deed what) {
    ++calls;
    return fork_and(what);
  }
  int called() const { return calls; }
};

// All that is sent before and behind a fork arrives, once.
task<void> check_messages(pe_id pe) {
  std::vector<future<int>> replies;
  for (int i = 0; i < 1000; ++i) {
    at(pe).past<count>(1);
    replies.push_back(at(pe).future<twice>(i));
  }
  for (int i = 0; i < 1000; ++i) {
    const int reply = co_await replies[static_cast<std::size_t>(i)];
    expect_equal(reply, 2 * i, "a reply");
  }
}

task<int> program(arguments) {
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    const ref<forking> o = create<forking>(at(pe));
    for (std::size_t i = 0; i < deeds.size(); ++i) {
      const deed what = deeds[i];
      int code = co_await at(pe).now<fork_and>(what);
      expect_equal(code, codes[i], "a child of a handler");
      code = co_await at(pe).now<fork_in_task>(what);
      expect_equal(code, codes[i], "a child of a task");
      code = co_await o.now<&forking::call>(what);
      expect_equal(code, codes[i], "a child of a method");
      co_await check_messages(pe);
    }
    const int calls = co_await o.now<&forking::called>();
    expect_equal(calls, static_cast<int>(deeds.size()), "the calls of a method");
    const int counted = co_await at(pe).now([] { return *answers; });
    expect_equal(counted, 1000 * static_cast<int>(deeds.size()), "what was counted");
  }
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
