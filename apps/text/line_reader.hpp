// A text file, line by line and word by word, and the one place where its errors are worded.
#pragma once

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <istream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace text {

// what(): one line, "<file>:<line>: expected <...>, got <...>".
class file_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Control characters are spelled, as tsubu::one_line does.
std::string in_quotes(std::string_view text);

// Opens a regular file of text for reading: of a pipe that nobody writes into, the opening would wait for ever, and a
// compressed file is none. Throws file_error, line 0.
std::ifstream open_file(const std::filesystem::path& file);

// The program that has compressed a file, by what it begins with: "gzip"; empty if none of those that are known has.
// The place where it is read stays.
std::string_view compressed_by(std::istream& file);

// Its length in bytes; the place where it is read stays.
std::int64_t size_of(std::istream& file);

class line_reader {
 public:
  // `name` stands for the file in messages.
  line_reader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {}

  [[noreturn]] void fail(const std::string& expected, const std::string& got) const {
    fail_at(line_number_, expected, got);
  }
  [[noreturn]] void fail_at(std::int64_t line, const std::string& expected, const std::string& got) const;

  // The next line, whatever it holds; false at the end of the file.
  bool next_line();

  // The line will be the next one again.
  void put_back();

  // The next line that is neither blank nor a comment, of which the first character that is no blank is one of
  // `comments`; false at the end of the file.
  bool next_data_line_or_end(std::string_view comments);

  // The same of a file whose comments begin with %, where the end of the file is an error.
  void next_data_line(const std::string& expected);

  // The next word of the line; empty at its end.
  std::string_view word();
  std::string lower_word();
  bool has_word() const { return rest_.find_first_not_of(" \t") != std::string_view::npos; }

  // The next word, in lower case: one of those allowed.
  std::string expect(std::initializer_list<std::string_view> allowed, const std::string& wanted);

  // The next word as a finite number, the double that is nearest to it: what is smaller than all of them is 0. In a
  // file of integers, one that a double holds exactly.
  enum class values { real, integer };
  double value(values of);

  // The word that was read last, as it stands in the file.
  std::string_view last_word() const { return last_; }

  // The next word as a whole number.
  template <typename Number>
  Number parse(const std::string& expected) {
    const std::string_view found = word();
    if (found.empty()) fail(expected, "the end of the line");
    const std::string_view digits = found.front() == '+' ? found.substr(1) : found;
    Number value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size()) fail(expected, in_quotes(found));
    return value;
  }

  // Nothing else is on the line.
  void end_of_line(const std::string& expected);

  const std::string& line() const { return line_; }
  std::int64_t line_number() const { return line_number_; }

 private:
  std::istream& in_;
  std::string name_;
  std::string line_;
  std::string_view rest_;
  std::string_view last_;  // of line_, as rest_ is
  std::int64_t line_number_ = 0;
  bool is_back_ = false;
};

}  // namespace text
