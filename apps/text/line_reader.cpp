#include "apps/text/line_reader.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "tsubu/base/printable.hpp"

namespace text {

std::string in_quotes(std::string_view text) { return std::string(1, '\'').append(tsubu::one_line(text)).append("'"); }

std::ifstream open_file(const std::filesystem::path& file) {
  const auto refuse = [&](const char* got) {
    throw file_error(file.string() + ":0: expected a readable file, got " + got);
  };
  std::error_code none;
  const auto what = std::filesystem::status(file, none).type();
  using kind = std::filesystem::file_type;
  if (what == kind::directory) refuse("a folder");
  if (what == kind::fifo || what == kind::socket) refuse("a pipe");
  if (what == kind::character || what == kind::block) refuse("a device");
  std::ifstream in(file);
  if (what != kind::regular || !in) refuse("none");
  return in;
}

std::int64_t size_of(std::istream& file) {
  const auto here = file.tellg();
  const std::int64_t size = file.seekg(0, std::ios::end).tellg();
  file.seekg(here);
  return size;
}

void line_reader::fail_at(std::int64_t line, const std::string& expected, const std::string& got) const {
  throw file_error(name_ + ":" + std::to_string(line) + ": expected " + expected + ", got " + got);
}

bool line_reader::next_line() {
  ++line_number_;
  if (!std::exchange(is_back_, false) && !std::getline(in_, line_)) return false;
  rest_ = line_;
  if (!rest_.empty() && rest_.back() == '\r') rest_.remove_suffix(1);
  return true;
}

void line_reader::put_back() {
  --line_number_;
  is_back_ = true;
}

bool line_reader::next_data_line_or_end(std::string_view comments) {
  while (next_line()) {
    if (has_word() && comments.find(rest_.front()) == std::string_view::npos) return true;
  }
  return false;
}

void line_reader::next_data_line(const std::string& expected) {
  if (!next_data_line_or_end("%")) fail(expected, "the end of the file");
}

std::string_view line_reader::word() {
  const std::size_t begin = std::min(rest_.find_first_not_of(" \t"), rest_.size());
  const std::size_t end = std::min(rest_.find_first_of(" \t", begin), rest_.size());
  const std::string_view found = rest_.substr(begin, end - begin);
  rest_.remove_prefix(end);
  return found;
}

std::string line_reader::lower_word() {
  std::string found(word());
  for (char& c : found) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return found;
}

std::string line_reader::expect(std::initializer_list<std::string_view> allowed, const std::string& wanted) {
  std::string found = lower_word();
  if (std::find(allowed.begin(), allowed.end(), found) == allowed.end())
    fail(wanted, found.empty() ? "the end of the line" : in_quotes(found));
  return found;
}

void line_reader::end_of_line(const std::string& expected) {
  const std::string_view extra = word();
  if (!extra.empty()) fail(expected, in_quotes(extra) + " after it");
}

}  // namespace text
