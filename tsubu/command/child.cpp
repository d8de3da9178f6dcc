#include "tsubu/command/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "tsubu/base/check.hpp"

namespace tsubu::command {

namespace fs = std::filesystem;

workplace::workplace() {
  std::string name = fs::temp_directory_path() / "tsubu_XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    end_job(exit_code::failed, fmt::format("tsubu: the folder {} cannot be made: {}", name, std::strerror(errno)));
  }
  path_ = name;
}

workplace::~workplace() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

int run_quietly(const std::vector<std::string>& words, const std::string& output) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    end_job(exit_code::unavailable, fmt::format("tsubu: {} cannot be started: {}", words[0], std::strerror(error)));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string last_lines(const std::string& text, int lines) {
  std::size_t end = text.size();
  while (end > 0 && text[end - 1] == '\n') --end;
  std::size_t begin = end;
  for (; lines > 0 && begin > 0; --lines) {
    const std::size_t newline = text.rfind('\n', begin - 1);
    if (newline == std::string::npos) return text.substr(0, end);
    begin = lines == 1 ? newline + 1 : newline;
  }
  return text.substr(begin, end - begin);
}

std::string json_line_of(const std::string& text) {
  std::istringstream lines(text);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('{')) last = line;
  }
  return last;
}

std::string own_path() {
  std::error_code none;
  return fs::read_symlink("/proc/self/exe", none).string();
}

}  // namespace tsubu::command
