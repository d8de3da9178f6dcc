#include "tsubu/base/program_lines.hpp"

#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <vector>

#include "tsubu/base/host_clock.hpp"
#include "tsubu/base/program_text.hpp"

namespace tsubu {
namespace {

constexpr std::int64_t longest_lookup_ns = 3'000'000'000;

// The calls that this thread is in, innermost first, as far as they are of the program's main file: offsets of the
// instructions in it.
std::vector<std::string> calls_of_main_file() {
  std::array<void*, 64> addresses{};
  const auto count = static_cast<std::size_t>(::backtrace(addresses.data(), static_cast<int>(addresses.size())));
  std::vector<std::string> offsets;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t behind_call = program_offset(addresses[i]);
    if (behind_call == 0) continue;  // a shared library's
    std::array<char, 2 * sizeof behind_call> digits;
    const auto end = std::to_chars(digits.begin(), digits.end(), behind_call - 1, 16).ptr;
    offsets.emplace_back(digits.begin(), end);
  }
  return offsets;
}

// What the process says until it closes its end, in so many ns; false if it does not.
bool read_to_end(int from, std::int64_t most_ns, std::string& said) {
  for (const std::int64_t until = host_ns() + most_ns;;) {
    const std::int64_t left_ms = (until - host_ns()) / 1'000'000;
    if (left_ms <= 0) return false;
    pollfd output{from, POLLIN, 0};
    if (::poll(&output, 1, static_cast<int>(left_ms)) <= 0) continue;
    std::array<char, 512> some;  // a fiber's stack may be small
    const ssize_t bytes = ::read(from, some.data(), some.size());
    if (bytes == 0) return true;
    if (bytes > 0) said.append(some.data(), static_cast<std::size_t>(bytes));
  }
}

// What a command says; "" if it cannot be started, fails, or goes on for too long.
std::string said_by(std::vector<std::string> words) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const bool started = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string said;
  const bool ended = started && read_to_end(ends[0], longest_lookup_ns, said);
  ::close(ends[0]);
  if (!started) return "";
  if (!ended) ::kill(child, SIGKILL);
  int status = 0;
  pid_t waited = 0;
  do waited = ::waitpid(child, &status, 0);
  while (waited < 0 && errno == EINTR);
  // A program that ignores SIGCHLD is not told of the status.
  return ended && (waited != child || status == 0) ? said : "";
}

// Whether the source is there, and has nothing but a brace in that line.
bool line_is_brace(const std::string& file, std::string_view number) {
  std::ifstream source(file);
  int left = 0;
  std::from_chars(number.begin(), number.end(), left);
  std::string line;
  while (left > 0 && std::getline(source, line)) --left;
  const std::size_t first = line.find_first_not_of(" \t");
  return left == 0 && first != line.npos && line[first] == '}';
}

// Whether a function of that name is the runtime's own, or of a library.
bool is_of_a_library(std::string_view name) {
  return name.starts_with("tsubu::") || name.starts_with("std::") || name.starts_with("__") || name == "_start";
}

std::string described(const std::string& name, std::string_view place) {
  const std::size_t colon = place.rfind(':');
  if (place.ends_with('?') || colon == place.npos) return "in " + name + " (compile with -g for the line)";
  std::string text = "at " + std::string(place) + ", in " + name;
  // g++ gives what a co_await calls the line of the coroutine's last brace.
  if (line_is_brace(std::string(place.substr(0, colon)), place.substr(colon + 1))) text += ", or at a co_await above";
  return text;
}

}  // namespace

bool is_of_the_runtime(std::string_view file) {
  static constexpr std::array floors{"base/",   "data/", "message/", "mpc/",  "object/",    "outside/", "parallel/",
                                     "remote/", "run/",  "sim/",     "task/", "transport/", "wire/"};
  constexpr std::string_view root = "/tsubu/";
  if (file.starts_with(root.substr(1))) {
    file.remove_prefix(root.size() - 1);
  } else if (const std::size_t at = file.rfind(root); at != file.npos) {
    file.remove_prefix(at + root.size());
  } else {
    return false;
  }
  return std::ranges::any_of(floors, [file](const char* floor) { return file.starts_with(floor); });
}

std::string short_function_name(std::string_view function) {
  std::string name(function);
  constexpr std::string_view unnamed = "(anonymous namespace)::", call = "operator()";
  for (std::size_t at; (at = name.find(unnamed)) != name.npos;) name.erase(at, unnamed.size());
  // The name ends where the parameters begin, and begins behind the type of the result, which templates have.
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.compare(i, call.size(), call) == 0) i += call.size();
    const char c = i < name.size() ? name[i] : '\0';
    if (c == '(' && depth == 0) return name.substr(begin, i - begin);
    if (c == ' ' && depth == 0) begin = i + 1;
    if (c == '<' || c == '{' || c == '(') ++depth;
    if (c == '>' || c == '}' || c == ')') --depth;
  }
  return name.substr(begin);
}

std::string line_of_the_program_in(std::string_view calls) {
  // "step(int) at /home/work.cpp:9 (discriminator 2)", then the calls that it was inlined in, if it was.
  while (!calls.empty()) {
    std::string_view line = calls.substr(0, calls.find('\n'));
    calls.remove_prefix(std::min(calls.size(), line.size() + 1));
    constexpr std::string_view inlined = " (inlined by) ", at = " at ";
    if (line.starts_with(inlined)) line.remove_prefix(inlined.size());
    const std::size_t end = line.find(at);
    if (end == line.npos) continue;
    const std::string name = short_function_name(line.substr(0, end));
    std::string_view place = line.substr(end + at.size());
    place = place.substr(0, place.find(" (discriminator"));
    const bool of_a_library = is_of_a_library(name) || is_of_the_runtime(place) || place.starts_with("/usr/include/") ||
                              place.starts_with("/usr/lib/");
    if (of_a_library) continue;
    const bool from_main = name == "main" || name.starts_with('?');  // a call of run(), not of what runs
    return from_main ? "" : described(name, place);
  }
  return "";
}

std::string line_of_the_program() {
  const std::vector<std::string> calls = calls_of_main_file();
  if (calls.empty()) return "";  // addr2line would read from the terminal
  std::vector<std::string> words{
      "addr2line", "-C", "-f", "-i", "-p", "-e", "/proc/" + std::to_string(::getpid()) + "/exe"};
  words.insert(words.end(), calls.begin(), calls.end());
  return line_of_the_program_in(said_by(std::move(words)));
}

}  // namespace tsubu
