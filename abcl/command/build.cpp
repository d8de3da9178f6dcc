#include "abcl/command/build.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "abcl/command/cache.hpp"
#include "abcl/command/precompiled.hpp"
#include "tsubu/base/files.hpp"
#include "tsubu/base/program_folders.hpp"

extern char** environ;

namespace abcl {
namespace {

namespace fs = std::filesystem;

// Where the headers and the library are: beside the command if it is installed; in a build tree, a file there says
// where.
struct flags {
  std::vector<std::string> compiler, linker;
  fs::path library;
};
flags flags_of_tsubu() {
  const fs::path prefix = fs::path(tsubu::program_folder()).parent_path();
  std::string include = (prefix / "include").string(), lib = (prefix / ABCL_LIBRARY_FOLDER).string();
  if (!fs::exists(fs::path(include) / "abcl/runtime/abcl.hpp")) {
    const fs::path said = prefix / "share/abcl/build_tree";
    std::ifstream file(said);
    if (!std::getline(file, include) || !std::getline(file, lib))
      throw std::runtime_error(
          fmt::format("neither {} nor {} is there, so Tsubu is not found", include, said.string()));
  }
  // Below /usr they are where every compiler looks; named once more, it would look there too late for the C library's.
  std::vector<std::string> headers;
  if (include != "/usr/include") headers = {"-isystem", include};
  return {headers,
          {"-L" + lib, "-Wl,-rpath," + (prefix / "lib/tsubu").string(), "-ltsubu", "-lfmt", "-lhwloc",
           "-lboost_context", "-ldl"},
          fs::path(lib) / "libtsubu.a"};
}

// Its name and flags.
std::vector<std::string> compiler_of(const build_options& how) {
  std::string cxx = !how.cxx.empty() ? how.cxx : variable("CXX");
  if (cxx.empty()) cxx = ABCL_CXX;
  std::vector<std::string> all{cxx, "-std=c++20", "-g1"};
  if (how.collect) all.push_back("-DABCL_COLLECTS=");  // as the program says, and for what is precompiled
  if (how.debug) {
    all.push_back("-O0");
  } else {
    all.insert(all.end(), {"-O3", "-DNDEBUG"});
    // What a small program inlines would count against the headers that it has included.
    const bool clang = cxx.find("clang") != std::string::npos;
    if (clang) all.push_back("-fbracket-depth=1024");  // the reader allows 500
    if (!clang) all.insert(all.end(), {"--param", "inline-unit-growth=300"});
  }
  const std::vector<std::string> tsubu = flags_of_tsubu().compiler;
  all.insert(all.end(), tsubu.begin(), tsubu.end());
  all.push_back("-pthread");
  return all;
}

// Where an executable takes its place: a link stays one, and what is no regular file is written to.
struct place {
  explicit place(const std::string& to) : target(tsubu::end_of_links(fs::absolute(to).string())) {
    exists = stat(target.c_str(), &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) throw std::runtime_error(fmt::format("{}: it is a folder", target.string()));
    if (!fs::is_directory(target.parent_path()))
      throw std::runtime_error(fmt::format("{}: there is no such folder", target.parent_path().string()));
  }
  bool special() const { return exists && !S_ISREG(there.st_mode); }
  // Who could use the program that was there can use this one.
  void take(const fs::path& made) const {
    std::string why;
    if (special()) {
      const std::optional<std::string> bytes = tsubu::read_file(made.string(), why);
      if (!bytes) throw std::runtime_error(fmt::format("{}: {}", made.string(), why));
      return write(target.string(), *bytes);
    }
    const mode_t readable = there.st_mode & 0444;
    if (exists && chmod(made.c_str(), (there.st_mode & 07777) | readable >> 2) != 0)
      throw std::runtime_error(fmt::format("{}: {}", made.string(), std::strerror(errno)));
    fs::rename(made, target);
  }

  fs::path target;
  bool exists = false;
  struct stat there{};
};

// What a program has of C++ is part of it: the text of `path`, and of what that includes from beside it.
void add_text_of(const fs::path& path, std::set<fs::path>& seen, std::string& to) {
  if (!seen.insert(path.lexically_normal()).second) return;
  std::string why;
  const std::optional<std::string> text = tsubu::read_file(path.string(), why);
  if (!text) return;
  to += *text;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t include = line.find("include"), begin = line.find('"', include);
    const std::size_t end = begin == line.npos ? line.npos : line.find('"', begin + 1);
    if (line.find('#') > include || end == line.npos) continue;
    add_text_of(path.parent_path() / line.substr(begin + 1, end - begin - 1), seen, to);
  }
}

}  // namespace

void write(const std::string& path, const std::string& text) {
  const std::string trouble = tsubu::write_file({path, {}, true}, text);
  if (!trouble.empty()) throw std::runtime_error(fmt::format("{}: {}", path, trouble));
}

int call(const std::vector<std::string>& command, tsubu::reach signals) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  std::optional<tsubu::child_of_process> known;
  pid_t child = 0;
  {
    const tsubu::held_signals held;
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    sigset_t mask = held.before();
    // Whoever is not of the terminal's group may write to it all the same.
    if (signals == tsubu::reach::group) sigaddset(&mask, SIGTTOU);
    posix_spawnattr_setsigmask(&how, &mask);
    const int grouped = signals == tsubu::reach::group ? POSIX_SPAWN_SETPGROUP : 0;
    posix_spawnattr_setflags(&how, static_cast<short>(POSIX_SPAWN_SETSIGMASK | grouped));
    const int trouble = posix_spawnp(&child, words[0], nullptr, &how, words.data(), environ);
    posix_spawnattr_destroy(&how);
    if (trouble != 0)
      throw std::runtime_error(fmt::format("{} cannot be called: {}", command[0], std::strerror(trouble)));
    known.emplace(child, signals);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR)
      throw std::runtime_error(fmt::format("{} cannot be waited for: {}", command[0], std::strerror(errno)));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool build(const std::string& cpp, const std::string& to, const build_options& how) {
  const place target(to);
  const fs::path beside = target.special() ? fs::temp_directory_path() : target.target.parent_path();
  const tsubu::temporary_folder work((beside / "abcl-").string());
  const fs::path source = fs::path(work.path()) / "program.cpp", made = fs::path(work.path()) / "program";
  write(source.string(), cpp);
  const std::vector<std::string> compiler = compiler_of(how);
  // Other sources, or flags, may not go with what has been parsed without them.
  const std::vector<std::string> parsed = how.with.empty() ? precompiled(compiler) : std::vector<std::string>();
  const auto compile = [&](const std::vector<std::string>& more) {
    std::vector<std::string> command = compiler;
    command.insert(command.end(), more.begin(), more.end());
    command.push_back(source.string());
    command.insert(command.end(), how.with.begin(), how.with.end());
    command.insert(command.end(), {"-o", made.string()});
    const std::vector<std::string> libraries = flags_of_tsubu().linker;
    command.insert(command.end(), libraries.begin(), libraries.end());
    if (how.verbose) fmt::print(stderr, "{}\n", fmt::join(command, " "));
    return call(command, tsubu::reach::group) == 0;
  };
  // A compiler may take offence at a precompiled header for reasons of its own.
  if (!compile(parsed) && (parsed.empty() || !compile({}))) return false;
  target.take(made);
  return true;
}

namespace {

// What the executable of `cpp` is called in the cache.
std::string name_in_cache(const std::string& cpp, const build_options& how) {
  // Another library is another program.
  std::error_code ignored;
  const auto age = fs::last_write_time(flags_of_tsubu().library, ignored).time_since_epoch().count();
  const std::string all = fmt::format("{}\n{}\n{}\n{}\n{}", cpp, fmt::join(compiler_of(how), " "),
                                      fmt::join(how.with, " "), fmt::join(flags_of_tsubu().linker, " "), age);
  // So is another text of the headers and sources that it has.
  std::string texts;
  std::set<fs::path> seen;
  for (const std::string& word : how.with) add_text_of(word, seen, texts);
  for (const std::string& header : how.headers) add_text_of(header, seen, texts);
  return hash_of(all + texts);
}

// A lock on a file, which is made; is_held() is false where it cannot be written.
class file_lock {
 public:
  explicit file_lock(const std::string& file)
      : held_(open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    while (held_ >= 0 && flock(held_, LOCK_EX) != 0 && errno == EINTR) continue;
  }
  file_lock(const file_lock&) = delete;
  file_lock& operator=(const file_lock&) = delete;
  ~file_lock() {
    if (held_ >= 0) close(held_);
  }
  bool is_held() const { return held_ >= 0; }

 private:
  int held_;
};

bool can_be_written(const fs::path& folder) { return access(folder.c_str(), W_OK) == 0; }

executable built_for_once(const std::string& cpp, const build_options& how) {
  const auto folder = std::make_shared<const tsubu::temporary_folder>((fs::temp_directory_path() / "abcl-").string());
  const std::string program = folder->path() + "/program";
  if (!build(cpp, program, how)) return {};
  return {program, folder};
}

}  // namespace

executable built_before(const std::string& cpp, const build_options& how) {
  const std::optional<fs::path> cache = cache_folder();
  if (!cache) return built_for_once(cpp, how);
  const fs::path program = *cache / name_in_cache(cpp, how);
  if (is_own(program)) return {program.string(), nullptr};
  if (!can_be_written(*cache)) return built_for_once(cpp, how);
  // One builds it, the others wait for that.
  const file_lock lock(program.string() + ".lock");
  if (!lock.is_held()) return built_for_once(cpp, how);
  if (!is_own(program)) {
    std::error_code none;
    fs::remove(program, none);  // its mode is not to be taken over
    if (!build(cpp, program.string(), how)) return {};
  }
  return {program.string(), nullptr};
}

}  // namespace abcl
