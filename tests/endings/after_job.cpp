// What a process still has to write when its job has ended, and how it leaves then:
//
//   after_job return|quick CODE [kept]
//
// Then "by printf", "by cout" and "by a file", each with the rank, are in three buffers; quick_exit() writes none, so
// there they are written before. "kept": a thread has the file's for good, as one does that waits in a read. As in
// ends.cpp, "reached.PROCESS" is touched.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <future>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>

#include "tsubu/run/transports.hpp"
#include "tsubu/tsubu.hpp"

using namespace tsubu;

namespace {

task<int> program(arguments) { co_return 0; }

// The standard output under another number, with a buffer of its own.
std::FILE* file_like() {
  std::FILE* const file = ::fdopen(::dup(STDOUT_FILENO), "w");
  require(file != nullptr, "the standard output cannot be had twice");
  return file;
}

void keep_for_good(std::FILE* stream) {
  std::promise<void> has_it;
  std::thread([stream, &has_it] {
    ::flockfile(stream);
    has_it.set_value();
    for (;;) ::pause();
  }).detach();
  has_it.get_future().wait();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) fail("usage: after_job return|quick CODE [kept]");
  std::ios::sync_with_stdio(false);  // cout has a buffer of its own
  const bool quick = std::string_view(argv[1]) == "quick";
  const bool kept = argc > 3 && std::string_view(argv[3]) == "kept";
  const int code = std::atoi(argv[2]);
  const int rank = run_detail::launched_rank();
  std::FILE* const file = file_like();
  if (run(argc, argv, program) != 0) return 1;
  const std::string name = "reached." + std::to_string(::getpid());
  ::close(::open(name.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR));
  std::printf("%d by printf\n", rank);
  std::cout << rank << " by cout\n";
  std::fprintf(file, "%d by a file\n", rank);
  if (kept) keep_for_good(file);
  if (!quick) return code;
  std::fflush(nullptr);
  std::cout.flush();
  std::quick_exit(code);
}
