// Starting a program, waiting for it, and keeping what it prints.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tsubu/base/leftovers.hpp"

namespace tsubu::command {

// A folder of its own that is gone at the end, whatever ends this process.
class workplace {
 public:
  workplace();

  std::string file(std::string_view name) const { return (std::filesystem::path(folder_.path()) / name).string(); }

 private:
  temporary_folder folder_;
};

// Runs a command with both its streams in a file. Its exit code, or 128 and the signal that ended it. One that cannot
// be started, or prints more than children let it, ends this process with one line.
int run_quietly(const std::vector<std::string>& words, const std::string& output);

// What is in a regular file; "" if there is none. One that cannot be read ends this process with one line.
std::string text_of(const std::string& file);
std::string last_lines(const std::string& text, int lines);

// The last line that begins with "{", or "".
std::string json_line_of(const std::string& text);

// The path of this program.
std::string own_path();

}  // namespace tsubu::command
