#include "abcl/command/precompiled.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "abcl/command/build.hpp"
#include "abcl/command/cache.hpp"

namespace abcl {
namespace {

namespace fs = std::filesystem;

constexpr const char* included = "#include \"abcl/runtime/abcl.hpp\"\n";

// A file as it is now. Who writes to it, or puts another in its place, cannot but change the time.
struct state {
  std::string changed;  // times can be compared as texts
  std::string line;     // "TIME SIZE PATH"
};
std::optional<state> state_of(const std::string& path) {
  struct stat s{};
  if (stat(path.c_str(), &s) != 0) return std::nullopt;
  const std::string changed = fmt::format("{:011}.{:09}", s.st_ctim.tv_sec, s.st_ctim.tv_nsec);
  return state{changed, fmt::format("{} {} {}", changed, s.st_size, path)};
}

// Where a program of that name is.
std::string found_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  std::istringstream folders(variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string path = (folder.empty() ? "." : folder) + "/" + name;
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return name;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// The files that a rule for make names behind its target.
std::vector<std::string> dependencies_in(const std::string& rule) {
  std::vector<std::string> all;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) all.push_back(word);
    word.clear();
  };
  for (std::size_t i = rule.find(": ") + 1; i != 0 && i < rule.size(); ++i) {
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\0';
    if (rule[i] == '\\' && next != '\0') {
      ++i;
      if (next == ' ' || next == '#' || next == '\\') {
        word += next;
      } else if (next != '\n') {
        word += {'\\', next};
      }
    } else if (rule[i] == '$' && next == '$') {
      word += rule[++i];
    } else if (rule[i] == ' ' || rule[i] == '\n') {
      end_word();
    } else {
      word += rule[i];
    }
  }
  end_word();
  return all;
}

class header {
 public:
  header(const std::vector<std::string>& compiler, const fs::path& cache) : compiler_(compiler) {
    std::string key = fmt::format("{}", fmt::join(compiler, "\n"));
    // Where else the compiler looks for headers.
    for (const char* name : {"CPATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX"}) key += '\n' + variable(name);
    folder_ = cache / ("headers-" + hash_of(key));
    name_ = folder_ / "abcl.hpp";  // both compilers look for NAME.gch where NAME is to be included
    made_ = folder_ / "abcl.hpp.gch";
    list_ = folder_ / "made_from";
  }

  std::string name() const { return name_.string(); }

  bool right() const {
    for (const fs::path& each : {folder_, list_, name_, made_}) {
      if (!is_own(each)) return false;
    }
    std::ifstream list(list_);
    std::size_t files = 0;
    for (std::string line; std::getline(list, line); ++files) {
      const std::size_t path = line.find(' ', line.find(' ') + 1);
      if (path == std::string::npos) return false;
      const std::optional<state> now = state_of(line.substr(path + 1));
      if (!now || now->line != line) return false;
    }
    return files != 0;
  }

  // In a process of its own, which holds none of the caller's streams open and gets what processor time others leave.
  void make_meanwhile() const {
    // A signal that ends the caller ends it, too; it has a group of its own to be found by.
    static std::optional<tsubu::child_of_process> known;
    const tsubu::held_signals held;
    const pid_t child = fork();
    if (child < 0) return;
    if (child != 0) {
      setpgid(child, child);
      while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
      known.emplace(child, tsubu::reach::group);
      return;
    }
    setpgid(0, 0);
    held.let_go_in_child();
    if (fork() != 0) _exit(0);  // so that it is nobody's child
    setpriority(PRIO_PROCESS, 0, 19);
    const int nothing = open("/dev/null", O_RDWR);
    for (const int stream : {0, 1, 2}) dup2(nothing, stream);
    try {
      make();
    } catch (const std::exception&) {
      // It cannot be written: then there is none.
    }
    _exit(0);
  }

 private:
  void make() const {
    fs::create_directories(folder_);
    if (!is_own(folder_)) return;
    // One makes it, others do without. The compiler holds the lock, too, so it outlives this process.
    const int lock = open((folder_ / "lock").c_str(), O_CREAT | O_RDWR, 0600);
    if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) != 0 || right()) return;
    std::error_code ignored;
    fs::remove(list_, ignored);
    fs::remove(made_, ignored);
    write(name_.string(), included);
    const std::optional<state> begun = state_of(name_.string());
    if (!begun) return;
    const fs::path fresh = folder_ / "fresh", rule = folder_ / "rule";
    std::vector<std::string> command = compiler_;
    command.insert(command.end(),
                   {"-x", "c++-header", name_.string(), "-MD", "-MF", rule.string(), "-o", fresh.string()});
    const bool good = call(command, tsubu::reach::process) == 0;
    const std::string list = good ? list_of(dependencies_in(text_of(rule)), begun->changed) : std::string();
    fs::remove(rule, ignored);
    if (list.empty()) {
      fs::remove(fresh, ignored);
      return;
    }
    fs::rename(fresh, made_);
    write(list_.string(), list);
  }

  // "" if one has changed since `begun`: nobody knows whether the compiler has seen it before or after.
  std::string list_of(std::vector<std::string> files, const std::string& begun) const {
    if (files.empty()) return {};
    files.push_back(found_program(compiler_[0]));
    std::string list;
    for (const std::string& file : files) {
      const std::optional<state> now = state_of(file);
      if (!now || (now->changed >= begun && file != name_)) return {};
      list += now->line + '\n';
    }
    return list;
  }

  std::vector<std::string> compiler_;
  fs::path folder_, name_, made_, list_;
};

}  // namespace

std::vector<std::string> precompiled(const std::vector<std::string>& compiler) {
  const std::optional<fs::path> cache = cache_folder();
  if (!cache) return {};
  const header h(compiler, *cache);
  if (h.right()) return {"-include", h.name()};
  h.make_meanwhile();
  return {};
}

}  // namespace abcl
