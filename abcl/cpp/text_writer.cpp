#include "abcl/cpp/text_writer.hpp"

#include <fmt/format.h>

#include "abcl/cpp/spelling.hpp"

namespace abcl::cpp {

std::string line_directive(const source& of, int line) {
  return fmt::format("#line {} \"{}\"\n", line, escaped(of.name()));
}

void text_writer::write(const std::string& text, bool waits) {
  if (text.empty()) {
    if (!text_.ends_with("\n\n")) text_ += '\n';
    ++counted_line_;
    return;
  }
  // A directive where the ABCL/ST line changes, and before each wait, whose line reports name.
  const bool changes = place_ != directed_;
  const bool names = waits && counted_line_ != place_.second;
  if (place_.first != nullptr && (changes || names)) {
    text_ += line_directive(*place_.first, place_.second);
    directed_ = place_;
    counted_line_ = place_.second;
  }
  text_ += indentation();
  text_ += text;
  text_ += '\n';
  ++counted_line_;
}

void text_writer::open(const std::string& text) {
  line(text);
  ++indent_;
}

void text_writer::close(const std::string& text) {
  --indent_;
  line(text);
}

void text_writer::reopen(const std::string& text) {
  close(text);
  ++indent_;
}

void text_writer::label(const std::string& name) {
  --indent_;
  line(' ' + name);
  ++indent_;
}

}  // namespace abcl::cpp
