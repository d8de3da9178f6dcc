#include "tsubu/command/child.hpp"

#include <fmt/format.h>

#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/base/files.hpp"
#include "tsubu/command/children.hpp"

namespace tsubu::command {

namespace fs = std::filesystem;

workplace::workplace() : folder_((fs::temp_directory_path() / "tsubu_").string()) {}

int run_quietly(const std::vector<std::string>& words, const std::string& output) {
  children one;
  child_task what;
  what.words = words;
  what.output = output;
  one.start(0, what);
  const child_end r = one.next();
  if (r.how == child_end::end::not_started) {
    end_job(exit_code::unavailable, fmt::format("tsubu: {}", last_lines(text_of(output), 1)));
  }
  if (r.how == child_end::end::too_talkative) {
    end_job(exit_code::failed,
            fmt::format("tsubu: {} printed more than {} MiB, and was ended", words[0], most_output_bytes >> 20));
  }
  return r.code;
}

std::string text_of(const std::string& file) {
  std::error_code none;
  if (!fs::is_regular_file(file, none)) return "";
  std::string why;
  std::optional<std::string> text = read_file(file, why);
  if (!text) end_job(exit_code::failed, fmt::format("tsubu: {} cannot be read: {}", file, why));
  return *std::move(text);
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
