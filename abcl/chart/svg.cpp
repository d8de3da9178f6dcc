#include "abcl/chart/svg.hpp"

#include <cstdint>

namespace abcl::chart {
namespace {

// The length of the character at the front of `text`, if it is one of XML in UTF-8; else 0.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  std::uint32_t code = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3fU);
  }
  const bool shortest = code >= (length == 4 ? 0x10000U : length == 3 ? 0x800U : 0x80U);
  const bool allowed = code < 0xd800 || (code > 0xdfff && code != 0xfffe && code != 0xffff && code <= 0x10ffff);
  return shortest && allowed ? length : 0;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    const std::size_t length = character(text);
    if (length == 0) {
      made += "\xef\xbf\xbd";
      text.remove_prefix(1);
      continue;
    }
    switch (text[0]) {
      case '&':
        made += "&amp;";
        break;
      case '<':
        made += "&lt;";
        break;
      case '>':
        made += "&gt;";
        break;
      case '"':
        made += "&quot;";
        break;
      default:
        made += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return made;
}

svg::svg(double width, double height) {
  add(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}">)",
      width, height);
  add(R"(<rect width="{:.0f}" height="{:.0f}" fill="#ffffff"/>)", width, height);
}

std::string svg::finish() && {
  text_ += "</svg>\n";
  return std::move(text_);
}

}  // namespace abcl::chart
