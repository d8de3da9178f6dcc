#include "tests/fuzz/input.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/fuzz/memory_account.hpp"
#include "tsubu/base/check.hpp"
#include "tsubu/base/printable.hpp"

namespace tsubu::fuzz {
namespace {

// The standard error as a file in memory. What is written behind `seen` has not been looked at.
class caught_lines {
 public:
  // What libFuzzer and the sanitizers say goes where the standard error was.
  void begin() {
    was_ = ::dup(STDERR_FILENO);
    file_ = ::memfd_create("refusals", 0);
    if (was_ < 0 || file_ < 0) std::abort();
  }
  void take_place() {
    if (::dup2(file_, STDERR_FILENO) < 0) std::abort();
    taken_ = true;
  }
  bool taken() const { return taken_; }

  std::string_view take() {
    const ssize_t read = ::pread(file_, text_.data(), text_.size(), seen_);
    if (read < 0) std::abort();
    seen_ += read;
    if (seen_ > long{1} << 20) {
      if (::ftruncate(file_, 0) != 0 || ::lseek(file_, 0, SEEK_SET) != 0) std::abort();
      seen_ = 0;
    }
    return {text_.data(), static_cast<std::size_t>(read)};
  }
  void tell(std::string line) const {
    line += '\n';
    [[maybe_unused]] const auto written = ::write(was_, line.data(), line.size());
  }

 private:
  int was_ = STDERR_FILENO;
  int file_ = -1;
  off_t seen_ = 0;
  bool taken_ = false;
  std::array<char, 64 * 1024> text_{};
};

caught_lines said;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

void check_line(std::string_view line, std::string_view beginning) {
  if (line.starts_with(beginning) && std::none_of(line.begin(), line.end(), is_control)) return;
  finding("a refusal that is no line beginning with '" + std::string(beginning) + "': '" + one_line(line) + "'");
}

void check_printed(std::string_view text) {
  if (text.empty()) finding("a refusal without a line");
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    check_line(text.substr(0, end), "tsubu: ");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

void finding(std::string_view what) {
  said.tell("FINDING: " + std::string(what));
  std::abort();
}

void throw_at_the_end(int pe) {
  // Who catches it may end the job again.
  set_job_ender({.pe = pe,
                 .end =
                     [](void* job, int) {
                       throw_at_the_end(static_cast<int>(reinterpret_cast<std::intptr_t>(job)));
                       throw job_ended();
                     },
                 .job = reinterpret_cast<void*>(std::intptr_t{pe})});
}

void check_refusal(std::string_view text, std::string_view beginning) { check_line(text, beginning); }

}  // namespace tsubu::fuzz

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  using namespace tsubu::fuzz;
  said.begin();
  watch_memory();
  // libFuzzer keeps a standard error of its own if it is told to close that of the program.
  static std::string close_errors = "-close_fd_mask=2";
  static std::vector<char*> words(*argv, *argv + *argc);
  words.push_back(close_errors.data());
  words.push_back(nullptr);
  *argv = words.data();
  ++*argc;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tsubu::fuzz;
  if (!said.taken()) said.take_place();
  throw_at_the_end(tsubu::no_pe);
  const memory_account taken;
  try {
    read_input({data, size});
  } catch (const job_ended&) {
    check_printed(said.take());
  }
  tsubu::set_job_ender({});
  return 0;
}
