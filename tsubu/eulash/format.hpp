// What printf and scanf do with formats, for arguments that point anywhere.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <string>
#include <vector>

namespace tsubu::placed {

// The arguments behind a format, to be taken one by one.
struct format_arguments {
  std::va_list list;
};

// A conversion of a format, with the text before it.
struct conversion {
  std::string before;  // of printf with its %% as they are
  std::string flags;
  std::string width;        // digits, or "*"
  std::string precision;    // "." and digits, or ".*"
  std::string length;       // "l", "hh", ..
  std::string set;          // of scanf's %[
  char what = '\0';         // '\0': none, at the format's end
  bool suppressed = false;  // scanf's *
};
std::vector<conversion> conversions_of_printf(const std::string& format);
std::vector<conversion> conversions_of_scanf(const std::string& format);

// What printf prints; texts are taken from where they are, and %n stores there. May wait.
std::string formatted(const std::string& format, format_arguments& arguments);

// What scanf reads from a stream of this process: the bytes for each pointer, in their order, and its result.
struct scanned {
  int result = 0;
  std::vector<std::string> values;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(result, values);
  }
};
scanned scan(std::FILE* from, const std::string& format);

}  // namespace tsubu::placed
