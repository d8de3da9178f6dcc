#include "tsubu/base/program_lines.hpp"

#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <vector>

#include "tsubu/base/host_clock.hpp"

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
    dl_find_object found{};
    if (::_dl_find_object(addresses[i], &found) != 0 || found.dlfo_link_map == nullptr) continue;
    const link_map& in = *found.dlfo_link_map;
    if (in.l_name != nullptr && *in.l_name != '\0') continue;                        // the main file has no name there
    const std::uintptr_t call = reinterpret_cast<std::uintptr_t>(addresses[i]) - 1;  // what it returns to is behind it
    std::array<char, 2 * sizeof call> digits;
    const auto end = std::to_chars(digits.begin(), digits.end(), call - in.l_addr, 16).ptr;
    offsets.emplace_back(digits.begin(), end);
  }
  return offsets;
}

// What a command says, or "" if it cannot be started, fails, or says nothing more for too long.
std::string said_by(std::vector<std::string> words) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
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
  bool ended = false;
  for (const std::int64_t until = host_ns() + longest_lookup_ns; started && !ended;) {
    pollfd output{ends[0], POLLIN, 0};
    const std::int64_t left_ms = (until - host_ns()) / 1'000'000;
    if (left_ms <= 0) break;
    if (::poll(&output, 1, static_cast<int>(left_ms)) <= 0) continue;
    std::array<char, 4096> some;
    const ssize_t bytes = ::read(ends[0], some.data(), some.size());
    if (bytes > 0) said.append(some.data(), static_cast<std::size_t>(bytes));
    ended = bytes == 0;
  }
  ::close(ends[0]);
  if (!started) return "";
  if (!ended) ::kill(child, SIGKILL);
  int status = 0;
  const bool waited = ::waitpid(child, &status, 0) == child;
  return waited && ended && status == 0 ? said : "";
}

// "step" out of "step(step(int)::_Z4stepi.Frame*) [clone .actor]", a coroutine to g++.
std::string_view short_name(std::string_view function) {
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  if (function.starts_with(unnamed)) function.remove_prefix(unnamed.size());
  return function.substr(0, function.find('('));
}

bool is_of_a_library(std::string_view function) {
  const std::string_view name = function.substr(0, function.find_first_of("(<"));
  return name.find("tsubu::") != name.npos || name.find("std::") != name.npos || name.starts_with("_");
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

// What follows " at " in a line of addr2line, in words.
std::string described(std::string_view function, std::string_view place) {
  const std::string name(short_name(function));
  const std::size_t colon = place.rfind(':');
  if (place.ends_with('?') || colon == place.npos) return name + " (compile with -g for the line)";
  std::string text = std::string(place) + ", in " + name;
  // g++ gives what a co_await calls the line of the coroutine's last brace.
  if (line_is_brace(std::string(place.substr(0, colon)), place.substr(colon + 1))) text += ", or at a co_await above";
  return text;
}

}  // namespace

bool is_of_the_runtime(std::string_view file) {
  static constexpr std::array floors{"base",   "data", "message", "mpc",  "object",    "outside", "parallel",
                                     "remote", "run",  "sim",     "task", "transport", "wire"};
  const std::size_t at = file.rfind("/tsubu/");
  if (at == file.npos) return false;
  const std::string_view behind = file.substr(at + 7);
  return std::ranges::any_of(floors,
                             [behind](const char* floor) { return behind.starts_with(std::string(floor) + '/'); });
}

std::string line_of_the_program() {
  std::vector<std::string> words{
      "addr2line", "-C", "-f", "-i", "-p", "-e", "/proc/" + std::to_string(::getpid()) + "/exe"};
  const std::vector<std::string> calls = calls_of_main_file();
  words.insert(words.end(), calls.begin(), calls.end());
  // "step(int) at /home/work.cpp:9 (discriminator 2)", then the calls that it was inlined in, if it was.
  std::istringstream lines(said_by(std::move(words)));
  for (std::string text; std::getline(lines, text);) {
    std::string_view line = text;
    constexpr std::string_view inlined = " (inlined by) ";
    if (line.starts_with(inlined)) line.remove_prefix(inlined.size());
    const std::size_t at = line.rfind(" at ");
    if (at == line.npos) continue;
    const std::string_view function = line.substr(0, at);
    std::string_view place = line.substr(at + 4);
    place = place.substr(0, place.find(' '));
    const bool unknown = place.ends_with('?');
    if (unknown ? is_of_a_library(function) : is_of_the_runtime(place) || place.starts_with("/usr/")) continue;
    const std::string_view name = short_name(function);
    return name == "main" || name.starts_with('?') ? "" : described(function, place);
  }
  return "";
}

}  // namespace tsubu
