#include "apps/kmer/fastq.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "apps/text/line_reader.hpp"
#include "tsubu/base/printable.hpp"

namespace kmer {
namespace {

// The beginning of a line, fit to be printed.
std::string shown(const std::string& line) { return tsubu::one_line(line.substr(0, 20)); }

bool begins_with(const std::string& line, char c) { return !line.empty() && line.front() == c; }

}  // namespace

std::int64_t fastq_size(const std::string& file) {
  std::error_code why;
  if (!std::filesystem::exists(file, why)) throw input_error(fmt::format("{}: no such file", file));
  if (!std::filesystem::is_regular_file(file, why)) throw input_error(fmt::format("{}: not a regular file", file));
  std::ifstream in(file, std::ios::binary);
  if (!in.is_open()) throw input_error(fmt::format("{}: cannot be read", file));
  if (const std::string_view by = text::compressed_by(in); !by.empty())
    throw input_error(fmt::format("{}: compressed by {}; unpack it first", file, by));
  const auto size = std::filesystem::file_size(file, why);
  if (why || size == 0) throw input_error(fmt::format("{}: the file is empty", file));
  return static_cast<std::int64_t>(size);
}

fastq::fastq(std::string file, std::int64_t begin, std::int64_t end)
    : fastq(std::make_unique<std::ifstream>(file, std::ios::binary), file, fastq_size(file), begin, end) {}

fastq::fastq(std::unique_ptr<std::istream> in, std::string file, std::int64_t size, std::int64_t begin,
             std::int64_t end)
    : file_(std::move(file)), in_(std::move(in)), size_(size), end_(end) {
  if (begin > 0) {
    // The rest of the line that the byte before belongs to.
    next_line_ = begin - 1;
    in_->seekg(next_line_);
    std::string rest;
    get_line(rest);
    find_first();
  }
  first_ = position_;
}

bool fastq::next(std::string& bases) {
  if (position_ >= end_) return false;
  if (!get_line(name_)) fail("no more records, where the file had some");  // it has become shorter
  if (!begins_with(name_, '@')) fail(fmt::format("expected a FASTQ record, @ and a name, got '{}'", shown(name_)));
  if (!get_line(bases) || !get_line(plus_)) fail("the last record is cut short");
  // A last record without bases has an empty line of qualities, whose end the file may lack.
  const bool may_lack_qualities = bases.empty() && next_line_ == size_ && !in_->eof();
  quality_.clear();
  if (!get_line(quality_) && !may_lack_qualities) fail("the last record is cut short");
  check_bases(bases);
  if (!begins_with(plus_, '+')) fail(fmt::format("expected + as the record's third line, got '{}'", shown(plus_)));
  if (quality_.size() != bases.size())
    fail(fmt::format("the record has {} bases and {} qualities", bases.size(), quality_.size()));
  position_ = next_line_;
  pass_blank_end();
  return true;
}

bool fastq::get_line(std::string& line) {
  if (!std::getline(*in_, line)) {
    if (in_->bad()) fail("an error while reading");  // and not the end of the file
    return false;
  }
  next_line_ += static_cast<std::int64_t>(line.size()) + (in_->eof() ? 0 : 1);
  if (line.ends_with('\r')) line.pop_back();
  return true;
}

// One of any four lines is a record's first, if so many are left.
void fastq::find_first() {
  constexpr std::size_t lines_of_record = 4, look_ahead = 2;
  std::array<std::string, lines_of_record + look_ahead> lines;
  std::array<std::int64_t, lines.size()> begins{};
  std::size_t count = 0;
  do {
    begins[count] = next_line_;
  } while (get_line(lines[count]) && ++count < lines.size());

  position_ = size_;
  for (std::size_t i = 0; i + look_ahead < count; ++i) {
    if (begins_with(lines[i], '@') && begins_with(lines[i + look_ahead], '+')) {
      position_ = begins[i];
      break;
    }
  }
  next_line_ = position_;
  in_->clear();
  in_->seekg(position_);
}

// Empty lines are accepted behind the last record only.
void fastq::pass_blank_end() {
  if (in_->peek() != '\n' && in_->peek() != '\r') return;
  std::string line;
  while (get_line(line)) {
    if (!line.empty()) fail("an empty line between records");
  }
  position_ = size_;
}

void fastq::check_bases(const std::string& bases) const {
  const auto wrong =
      std::find_if(bases.begin(), bases.end(), [](unsigned char c) { return c >= 0x80 || std::isalpha(c) == 0; });
  if (wrong != bases.end()) fail(fmt::format("expected bases as the record's second line, got '{}'", shown(bases)));
}

void fastq::fail(const std::string& what) const {
  throw input_error(fmt::format("{}: record at byte {}: {}", file_, position_, what));
}

}  // namespace kmer
