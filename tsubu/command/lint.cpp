#include "tsubu/command/lint.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <compare>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

#include "tsubu/base/check.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/command/await_query.hpp"
#include "tsubu/command/child.hpp"
#include "tsubu/command/children.hpp"
#include "tsubu/transport/threads/threads.hpp"

namespace tsubu::command {
namespace {

namespace fs = std::filesystem;

// What is wrong at a place, by the name that the query binds there, and what is right.
struct form {
  std::string_view name, what, instead;
};
constexpr form forms[] = {
    {"logic", "a co_await in the right operand of && or ||, which is part of something larger",
     "const bool both = a && co_await b; and use that: it is right alone, in the condition of an if, or as the right "
     "operand of others"},
    {"choice", "a co_await in an operand of ?: that is part of something larger, or converted",
     "const auto value = a ? co_await b : c; and use that, or an if"},
    {"class", "a co_await in an operand of a ?: whose value is of a class",
     "if (a) value = co_await b; for g++ also destroys a value that it has not made"},
};

struct place {
  std::string file;
  long line, column;
  const form* of;
  auto operator<=>(const place&) const = default;
};

// By place: the text of its line, and a mark below it.
using places = std::map<place, std::string>;

std::string find_clang_query() {
  const char* const path = std::getenv("PATH");
  for (const std::string_view name : {"clang-query-19", "clang-query"}) {
    std::istringstream folders(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
      const std::string file = (fs::path(folder.empty() ? "." : folder) / name).string();
      if (::access(file.c_str(), X_OK) == 0) return file;
    }
  }
  end_job(exit_code::unavailable,
          "tsubu: lint reads C++ by clang-query, which is not here: install clang-tools-19 (Debian's name)");
}

// Where Tsubu's headers are: beside this command if it is installed; a build tree has a link to its sources.
std::string headers() {
  const fs::path beside = fs::path(own_path()).parent_path().parent_path();
  std::error_code none;
  return (beside / (fs::exists(beside / "include/tsubu/tsubu.hpp", none) ? "include" : "share/tsubu/sources")).string();
}

// "FILE:LINE:COLUMN: note: "NAME" binds here", of a form's name.
bool read_place(const std::string& line, place& read) {
  constexpr std::string_view between = ": note: \"", behind = "\" binds here";
  const std::size_t at = line.rfind(between);
  if (at == line.npos || !line.ends_with(behind)) return false;
  const std::size_t name_at = at + between.size();
  const std::string_view name(line.data() + name_at, line.size() - behind.size() - name_at);
  read.of = nullptr;
  for (const form& f : forms) {
    if (f.name == name) read.of = &f;
  }
  const std::size_t column_at = line.rfind(':', at - 1);
  if (read.of == nullptr || column_at == line.npos || column_at == 0) return false;
  const std::size_t line_at = line.rfind(':', column_at - 1);
  if (line_at == line.npos) return false;
  read.file = line.substr(0, line_at);
  read.line = std::strtol(line.c_str() + line_at + 1, nullptr, 10);
  read.column = std::strtol(line.c_str() + column_at + 1, nullptr, 10);
  return true;
}

// A template's place comes once for each of its instances, a header's for each source.
void take_places(const std::string& output, places& found) {
  std::istringstream lines(output);
  place at;
  for (std::string line; std::getline(lines, line);) {
    if (!read_place(line, at)) continue;
    std::string text, mark;
    std::getline(lines, text);
    std::getline(lines, mark);
    found.emplace(at, text + '\n' + mark);
  }
}

// The first lines of clang's that are errors, or "".
std::string errors_in(const std::string& output) {
  constexpr int most = 5;
  std::istringstream lines(output);
  std::string errors;
  int count = 0;
  for (std::string line; count < most && std::getline(lines, line);) {
    const bool is_error = line.find(": error: ") != line.npos || line.find(": fatal error: ") != line.npos ||
                          line.starts_with("error: ") || line.starts_with("Error ") || line.starts_with("LLVM ERROR");
    if (!is_error) continue;
    errors += "\n  " + one_line(line);
    ++count;
  }
  return errors;
}

class linter {
 public:
  explicit linter(const lint_request& what) : what_(what), query_(here_.file("query")), tool_(find_clang_query()) {
    std::ofstream(query_) << await_query;
  }
  int run();

 private:
  std::vector<std::string> words(const std::string& file) const;
  std::string output_of(std::size_t number) const { return here_.file(fmt::format("{}.txt", number)); }
  void take_end(const child_end& end);
  int tell() const;

  const lint_request& what_;
  workplace here_;
  std::string query_, tool_;
  places found_;
  std::string unread_;  // what could not be read, and why
};

std::vector<std::string> linter::words(const std::string& file) const {
  std::vector<std::string> all{tool_, "-f", query_};
  if (!what_.build.empty()) {
    all.insert(all.end(), {"-p", what_.build, "--extra-arg=-w", file});
    return all;
  }
  all.insert(all.end(), {file, "--", "-std=c++20", "-w", "-isystem", headers()});
  for (const std::string& folder : what_.include) all.push_back("-I" + folder);
  for (const std::string& name : what_.define) all.push_back("-D" + name);
  return all;
}

void linter::take_end(const child_end& end) {
  const std::string output = text_of(output_of(end.task));
  std::error_code ignored;
  fs::remove(output_of(end.task), ignored);
  std::string errors = errors_in(output);
  if (end.how != child_end::end::by_itself || (end.code != 0 && errors.empty())) {
    errors = fmt::format("\n  {} ended with exit code {}: {}", tool_, end.code, one_line(last_lines(output, 1)));
  }
  if (!errors.empty()) {
    unread_ += fmt::format("tsubu: lint: {} cannot be read as C++:{}\n", one_line(what_.files[end.task]), errors);
  }
  take_places(output, found_);
}

int linter::run() {
  const int at_a_time = what_.jobs > 0 ? what_.jobs : transport::usable_cores();
  {
    children readers;
    for (std::size_t next = 0; next < what_.files.size() || readers.running() != 0;) {
      if (next < what_.files.size() && readers.running() < static_cast<std::size_t>(at_a_time)) {
        child_task reader;
        reader.words = words(what_.files[next]);
        reader.output = output_of(next);
        readers.start(next++, reader);
      } else {
        take_end(readers.next());
      }
    }
  }
  return tell();
}

int linter::tell() const {
  for (const auto& [at, text] : found_) {
    fmt::print(
        "{}:{}:{}: {}: a g++ starts it where it is not to be evaluated, and throws its answer away\n{}\n  write {}\n",
        one_line(at.file), at.line, at.column, at.of->what, printable_lines(text), at.of->instead);
  }
  std::fflush(stdout);
  std::fputs(unread_.c_str(), stderr);
  if (!unread_.empty()) return exit_code::usage;
  if (found_.empty()) return 0;
  fmt::print("{} place{}; docs/hazards.md has the table of forms, right and wrong\n", found_.size(),
             found_.size() == 1 ? "" : "s");
  return 1;
}

void check_readable(const lint_request& what) {
  for (const std::string& file : what.files) {
    if (::access(file.c_str(), R_OK) != 0) {
      end_job(exit_code::usage, fmt::format("tsubu: lint: {} cannot be read", one_line(file)));
    }
  }
  const fs::path commands = fs::path(what.build) / "compile_commands.json";
  if (!what.build.empty() && ::access(commands.c_str(), R_OK) != 0) {
    end_job(exit_code::usage,
            fmt::format("tsubu: lint: {} cannot be read: CMake writes it with CMAKE_EXPORT_COMPILE_COMMANDS=ON",
                        one_line(commands.string())));
  }
}

}  // namespace

int lint(const lint_request& what) {
  check_readable(what);
  return linter(what).run();
}

}  // namespace tsubu::command
