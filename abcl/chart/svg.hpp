// A picture in SVG, as a text that is written from back to front.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace abcl::chart {

// For text between tags, and for attributes: what XML cannot hold becomes U+FFFD.
std::string escaped(std::string_view text);

class svg {
 public:
  svg(double width, double height);

  // An element, or its beginning or end. What is put in as a text has been escaped.
  template <class... A>
  void add(fmt::format_string<A...> format, A&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<A>(arguments)...);
    text_ += '\n';
  }
  std::string finish() &&;

 private:
  std::string text_;
};

}  // namespace abcl::chart
