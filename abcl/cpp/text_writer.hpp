// The text that is written: lines with their indentation, and directives for the lines of ABCL/ST that they are from.
#pragma once

#include <string>
#include <utility>

#include "abcl/text/source.hpp"

namespace abcl::cpp {

std::string line_directive(const source& of, int line);

class text_writer {
 public:
  const std::string& text() const { return text_; }

  // What is written next is of that line; `nowhere`: of none.
  void at(const source& from, int line) { place_ = {&from, line}; }
  void nowhere() { directed_ = place_ = {}; }

  void line(const std::string& text) { write(text, false); }
  // `waits`: it is a statement that waits for something, so that reports of deadlocks name its line.
  void write(const std::string& text, bool waits);
  // A line, behind which more is indented; before which less is; and both.
  void open(const std::string& text);
  void close(const std::string& text = "}");
  void reopen(const std::string& text);
  // One of a class: "public:".
  void label(const std::string& name);
  // Lines that are indented and directed as they are.
  void append(const std::string& lines) { text_ += lines; }

  std::string indentation() const { return std::string(static_cast<std::size_t>(indent_) * 2, ' '); }

 private:
  using place = std::pair<const source*, int>;

  std::string text_;
  int indent_ = 0;
  place place_{};         // of what is being written
  place directed_{};      // that of the last directive
  int counted_line_ = 0;  // the line that C++ counts
};

}  // namespace abcl::cpp
