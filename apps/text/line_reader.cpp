#include "apps/text/line_reader.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "tsubu/base/printable.hpp"

namespace text {
namespace {

struct compression {
  std::string_view program;
  std::string_view magic;
};

using namespace std::string_view_literals;

// Sources: RFC 1952 (gzip), RFC 8878 (zstd), the formats' own descriptions for the others; a ZIP archive is "PK" and
// the kind of its first part.
constexpr std::array compressions{
    compression{"gzip", "\x1f\x8b"sv},
    compression{"xz",
                "\xfd"
                "7zXZ\0"sv},
    compression{"zstd", "\x28\xb5\x2f\xfd"sv},
    compression{"bzip2", "BZh"sv},
    compression{"lz4", "\x04\x22\x4d\x18"sv},
    compression{"lzip", "LZIP"sv},
    compression{"compress", "\x1f\x9d"sv},
    compression{"zip", "PK\x03\x04"sv},
};

// The double nearest to a number that std::from_chars has found out of their range: 0, or infinite.
double nearest(const std::string& number) { return std::strtod(number.c_str(), nullptr); }

}  // namespace

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
  if (const std::string_view by = compressed_by(in); !by.empty())
    throw file_error(file.string().append(":0: expected text, got a file compressed by ").append(by) +
                     "; unpack it first");
  return in;
}

std::string_view compressed_by(std::istream& file) {
  constexpr std::size_t longest = 6;
  const auto here = file.tellg();
  std::string begin(longest, ' ');
  file.read(begin.data(), longest);
  begin.resize(static_cast<std::size_t>(file.gcount()));
  file.clear();
  file.seekg(here);
  for (const compression& one : compressions)
    if (begin.starts_with(one.magic)) return one.program;
  return {};
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
  if (!std::exchange(is_back_, false) && !std::getline(in_, line_)) {
    if (in_.bad()) fail("the next line or the end of the file", "an error while reading");
    return false;
  }
  rest_ = line_;
  last_ = {};
  if (!rest_.empty() && rest_.back() == '\r') rest_.remove_suffix(1);
  return true;
}

void line_reader::put_back() {
  --line_number_;
  is_back_ = true;
}

bool line_reader::next_data_line_or_end(std::string_view comments) {
  while (next_line()) {
    const std::size_t first = rest_.find_first_not_of(" \t");
    if (first != std::string_view::npos && comments.find(rest_[first]) == std::string_view::npos) return true;
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
  return last_ = found;
}

double line_reader::value(values of) {
  if (of == values::integer) {
    constexpr std::int64_t most = std::int64_t{1} << 53;
    const auto found = parse<std::int64_t>("an integer, as the header says");
    if (found < -most || found > most) fail("an integer from -2^53 to 2^53", std::string(last_));
    return static_cast<double>(found);
  }
  const std::string_view found = word();
  if (found.empty()) fail("a value", "the end of the line");
  const std::string digits(found.substr(found.front() == '+' ? 1 : 0));
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) fail("a value", in_quotes(found));
  if (error == std::errc::result_out_of_range) value = nearest(digits);
  if (!std::isfinite(value)) fail("a finite value", std::string(found));
  return value;
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
