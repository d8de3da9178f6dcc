// Starting a program, waiting for it, and keeping what it prints.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tsubu::command {

// A folder of its own that is gone at the end.
class workplace {
 public:
  workplace();
  ~workplace();
  workplace(const workplace&) = delete;
  workplace& operator=(const workplace&) = delete;

  std::string file(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// Runs a command with both its streams in a file. Its exit code, or 128 and the signal that ended it. One that cannot
// be started ends this process with one line.
int run_quietly(const std::vector<std::string>& words, const std::string& output);

std::string text_of(const std::string& file);
std::string last_lines(const std::string& text, int lines);

// The last line that begins with "{", or "".
std::string json_line_of(const std::string& text);

// The path of this program.
std::string own_path();

}  // namespace tsubu::command
